/**
 * Keys of the description page. It has several buttons for each of its operations; with all of them in the order of Tab, a
 * keyboard would hardly get out. Only one row at a time is in that order; the arrow keys, Home and End move to others.
 */

/** The rows: groups, operations, schemas. What an open operation shows below its row is not part of it. */
const rowsOf = (page: Document) => [
  ...page.querySelectorAll<HTMLElement>(".opblock-tag, .opblock-summary, .models > h4, .json-schema-2020-12-head"),
];
const stopsOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>("button, a[href], [tabindex]")];

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Applies to all rows, also those that come later. */
export function rove(page: Document): void {
  let current: HTMLElement | undefined;
  const arrange = () => {
    const rows = rowsOf(page);
    if (!current || !rows.includes(current)) current = rows[0];
    for (const row of rows) for (const stop of stopsOf(row)) stop.tabIndex = row === current ? 0 : -1;
  };
  const rowAround = (target: EventTarget | null) => rowsOf(page).find((row) => row.contains(target as Node | null));
  const enter = ({ target }: FocusEvent) => {
    current = rowAround(target) ?? current;
    arrange();
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const row = rowAround(event.target);
    if (!step || !row || (event.target as HTMLElement).matches("input, textarea, select")) return;
    event.preventDefault();
    const rows = rowsOf(page);
    const next = rows[step(rows.indexOf(row), rows.length)];
    if (next) stopsOf(next)[0]?.focus();
  };
  new MutationObserver(arrange).observe(page.body, { childList: true, subtree: true });
  page.addEventListener("focusin", enter);
  page.addEventListener("keydown", press);
  arrange();
}
