/** The order of a list: the name of a member, after a '-' from the greatest to the least. */
import { z } from "zod";
import { wholeNumber } from "./whole-number.ts";

/** How far into a sorted list a page may begin. */
const mostSkipped = 100_000;

/** The query members of a list that can be sorted by `names`. Without `sort` it begins with the newest. */
export const sortQuery = <const Name extends string>(names: readonly Name[]) => ({
  sort: z
    .enum([...names, ...names.map((name) => `-${name}` as const)])
    .optional()
    .describe("Order of the list; '-' reverses it. Default: newest first."),
  offset: wholeNumber(z.int().min(0).max(mostSkipped))
    .optional()
    .describe("Rows to skip in a sorted list, for its next page."),
});

/** The order of a list in a database table, whose rows have the column `id`. */
export const columnOrder = <Name extends string>(sort: Name | `-${Name}` | undefined) => {
  const { name, descending } = sort === undefined ? { name: "id" as const, descending: true } : sortParts(sort);
  return { column: name, direction: descending ? ("desc" as const) : ("asc" as const) };
};

/** Splits `-size` into the member and its direction. */
export const sortParts = <Name extends string>(sort: Name | `-${Name}`): { name: Name; descending: boolean } => ({
  name: sort.replace(/^-/, "") as Name,
  descending: sort.startsWith("-"),
});
