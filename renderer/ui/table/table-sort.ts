import { sortParts } from "../../../server/contract/sort.ts";
import type { Column } from "./table-columns.ts";

type Value = string | number | undefined;

/** Sorts rows that are all loaded by a column's `sortBy`; rows without a value come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  const { name, descending } = sortParts(sort ?? "");
  const by = columns.find(({ key }) => key === name)?.sortBy;
  return by ? rows.toSorted((one, other) => compare(by(one), by(other), descending)) : rows;
}

function compare(one: Value, other: Value, descending: boolean): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const order =
    typeof one === "number" && typeof other === "number"
      ? one - other
      : String(one).localeCompare(String(other), undefined, { numeric: true });
  return descending ? -order : order;
}

/** The order that a click on a header chooses: the other direction, or first the one that says most. */
export function nextSort(sort: string | undefined, { key, align }: { key: string; align?: "end" }): string {
  if (sort === key) return `-${key}`;
  if (sort === `-${key}`) return key;
  return align === "end" ? `-${key}` : key;
}

/** The properties of a table whose order is in the page's address; the default order is not. */
export const tableSort = <Sort extends string>(
  sort: Sort | undefined,
  byDefault: Sort,
  onSort: (sort: Sort | undefined) => void,
) => ({
  sort: sort ?? byDefault,
  onSort: (next: string) => {
    const { name } = sortParts(byDefault);
    const comesBack = sortParts(next).name === name && sortParts(sort ?? byDefault).name !== name;
    onSort(comesBack || next === byDefault ? undefined : (next as Sort));
  },
});
