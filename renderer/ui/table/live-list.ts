/** The rows that a live page holds: newest first, each once, without gaps. The server counts the ids up. */
export interface LiveRow {
  readonly id: string | number;
}

/** A page of rows, or all pages that are held. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Whether there are no older rows. */
  readonly complete: boolean;
}

export interface LiveList<Row> extends RowPage<Row> {
  /** The number of stored rows that match the page's filter, held or not. */
  readonly total: number;
  /** The number of all stored rows, whatever the filter, where the server tells it. */
  readonly stored?: number;
}

/** Fetches the first rows, or those after a cursor: an id in a live list, a number of rows in a sorted one. */
export type LoadPage<Page> = (cursor: number | undefined) => Promise<Page>;

/** The query members for a page of a list that can be sorted. */
export const pageStart = <Sort extends string>(sort: Sort | undefined, cursor: number | undefined) =>
  sort === undefined ? { before: cursor } : { sort, offset: cursor };

/** The maximum number of rows held; by default the server keeps as many requests. */
const mostHeld = 100_000;
/** After a long absence the list restarts instead of fetching everything that was missed. */
const mostPagesCaughtUp = 10;

const order = (row: LiveRow): number => Number(row.id);

/** Adds new rows in front; they may arrive in any order and more than once. */
export function mergeNewer<Row extends LiveRow>(list: LiveList<Row>, arrived: readonly Row[]): LiveList<Row> {
  const newest = list.rows[0] ? order(list.rows[0]) : -Infinity;
  const added = new Map(arrived.filter((row) => order(row) > newest).map((row) => [row.id, row]));
  if (added.size === 0) return list;
  const sorted = [...added.values()].sort((a, b) => order(b) - order(a));
  return bounded({
    ...list,
    rows: [...sorted, ...list.rows],
    total: list.total + sorted.length,
    ...(list.stored !== undefined && { stored: list.stored + sorted.length }),
  });
}

/** Appends a page of older rows, requested with `before` set to the oldest held row. */
export function appendOlder<Row extends LiveRow, List extends RowPage<Row>>(list: List, page: RowPage<Row>): List {
  const last = list.rows.at(-1);
  const older = last ? page.rows.filter((row) => order(row) < order(last)) : page.rows;
  return { ...list, rows: [...list.rows, ...older], complete: page.complete };
}

/** Appends a page of a sorted list. Rows that have moved since its last page come once. */
export function appendSorted<Row extends LiveRow, List extends RowPage<Row>>(list: List, page: RowPage<Row>): List {
  const known = new Set(list.rows.map(({ id }) => id));
  return { ...list, rows: [...list.rows, ...page.rows.filter(({ id }) => !known.has(id))], complete: page.complete };
}

/** Fetches a sorted list again, as many rows as are held. */
export async function fetchSorted<Row extends LiveRow, List extends RowPage<Row>>(
  load: LoadPage<List>,
  held: List | undefined,
): Promise<List> {
  let list = await load(undefined);
  for (let pages = 1; pages < mostPagesCaughtUp; pages += 1) {
    if (list.complete || list.rows.length >= (held?.rows.length ?? 0)) break;
    list = appendSorted<Row, List>(list, await load(list.rows.length));
  }
  return list;
}

/**
 * Fetches the newest rows and joins them without a gap to the held ones. Returns the held list unchanged if nothing is
 * new, and only the fetched rows if too much was missed or the newest held one is no longer stored. `held` is called after
 * each page, because older rows may be added meanwhile.
 */
export async function fetchNewest<Row extends LiveRow>(
  load: LoadPage<LiveList<Row>>,
  held: () => LiveList<Row> | undefined,
): Promise<LiveList<Row>> {
  const first = await load(undefined);
  let list = first;
  for (let pages = 1; pages < mostPagesCaughtUp; pages += 1) {
    const known = held();
    const newestKnown = known?.rows[0];
    if (!known || !newestKnown) return list;
    const oldest = list.rows.at(-1);
    if (!oldest || order(oldest) <= order(newestKnown)) {
      // Rows were removed, and ids may have restarted: held rows cannot be joined to new ones.
      if (!list.rows.some(({ id }) => id === newestKnown.id)) return list;
      const merged = mergeNewer(known, list.rows);
      const { total, stored } = first;
      if (merged.total === total && merged.stored === stored) return merged;
      return { ...merged, total, ...(stored !== undefined && { stored }) };
    }
    if (list.complete) return list;
    list = appendOlder(list, await load(order(oldest)));
  }
  return list;
}

function bounded<Row>(list: LiveList<Row>): LiveList<Row> {
  if (list.rows.length <= mostHeld) return list;
  return { ...list, rows: list.rows.slice(0, mostHeld), complete: false };
}

/** The index of the first row that a user who scrolled away or paused has seen; newer rows above stay hidden. */
export function firstSeen(rows: readonly LiveRow[], newestSeen: LiveRow["id"] | undefined): number {
  if (newestSeen === undefined) return 0;
  const index = rows.findIndex((row) => order(row) <= Number(newestSeen));
  return index < 0 ? rows.length : index;
}
