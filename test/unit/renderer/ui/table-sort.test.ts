import { expect, it } from "vitest";
import type { Column } from "../../../../renderer/ui/table/table-columns.ts";
import { nextSort, sortRows, tableSort } from "../../../../renderer/ui/table/table-sort.ts";

type Row = { name: string; size?: number };
const columns: Column<Row>[] = [
  { key: "name", header: "Name", track: "1fr", sortBy: ({ name }) => name, cell: () => null },
  { key: "size", header: "Size", track: "1fr", sortBy: ({ size }) => size, cell: () => null },
  { key: "plain", header: "Plain", track: "1fr", cell: () => null },
];
const rows: Row[] = [{ name: "b10", size: 2 }, { name: "B9" }, { name: "a", size: 10 }];
const names = (sort: string | undefined) => sortRows(rows, columns, sort).map(({ name }) => name);

it("sorts rows by a column in both directions, numbers in names by their value, and rows without a value last", () => {
  expect(names("name")).toEqual(["a", "B9", "b10"]);
  expect(names("-name")).toEqual(["b10", "B9", "a"]);
  expect(names("size")).toEqual(["b10", "a", "B9"]);
  expect(names("-size")).toEqual(["a", "b10", "B9"]);
});

it("keeps the order of the rows without a sort, and with one by a column that cannot sort", () => {
  expect(names(undefined)).toEqual(["b10", "B9", "a"]);
  expect(names("-plain")).toEqual(["b10", "B9", "a"]);
});

it("a header sorts texts from the first and figures from the greatest, then the other way round", () => {
  expect(nextSort(undefined, { key: "name" })).toBe("name");
  expect(nextSort("name", { key: "name" })).toBe("-name");
  expect(nextSort("name", { key: "size", align: "end" })).toBe("-size");
  expect(nextSort("-size", { key: "size", align: "end" })).toBe("size");
});

it("keeps the default order out of the address, and comes back to it by a click on its header", () => {
  const chosen = (sort: string | undefined, next: string) => {
    let result: string | undefined = "none";
    tableSort(sort, "-time", (order) => (result = order)).onSort(next);
    return result;
  };
  expect(tableSort(undefined, "-time", () => undefined).sort).toBe("-time");
  expect(chosen(undefined, "time")).toBe("time");
  expect(chosen("time", "-time")).toBeUndefined();
  expect(chosen("-ms", "time")).toBeUndefined();
  expect(chosen("-ms", "ms")).toBe("ms");
});
