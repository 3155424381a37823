/** Filters in the query of a list: `price=3`, `price[gte]=3`, `address.city=x`. */

export const comparisons = ["gt", "gte", "lt", "lte", "ne", "null", "exists"] as const;
type Comparison = (typeof comparisons)[number];

interface FilterName {
  /** A dot leads into an object. */
  readonly field: string;
  readonly comparison: Comparison | "is";
}

const isComparison = (text: string | undefined): text is Comparison => comparisons.some((one) => one === text);

/** The field and the comparison that a name in the query stands for; undefined for another name. `tags[]` is `tags`. */
export function readFilterName(name: string, fields: ReadonlySet<string>): FilterName | undefined {
  if (fields.has(name)) return { field: name, comparison: "is" };
  const [, root, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (root === undefined || brackets === undefined) return undefined;
  const steps = brackets.slice(1, -1).split("][");
  const last = steps.at(-1);
  const comparison = isComparison(last) && !fields.has([root, ...steps].join(".")) ? last : "is";
  const field = [root, ...(comparison !== "is" || last === "" ? steps.slice(0, -1) : steps)].join(".");
  return fields.has(field) ? { field, comparison } : undefined;
}

/** Whether a name that is no filter is meant for another program: `_=1`, and brackets behind a root that is no field. */
export function isForeignName(name: string, fields: ReadonlySet<string>): boolean {
  const root = /^([^[]+)\[/.exec(name)?.[1];
  return name.startsWith("_") || (root !== undefined && !fields.has(root));
}
