import { operations, type ValueOperation } from "../values/arguments.ts";
import type { Value } from "../values/value.ts";
import { toJson } from "./json-filter.ts";
import { listFilters } from "./list-filters.ts";
import { markupFilters } from "./markup-filters.ts";
import { numberFilters } from "./number-filters.ts";
import { selectFilters } from "./select-filters.ts";
import { textFilters } from "./text-filters.ts";

const jsonFilters = operations<Value>({ "tojson(ensure_ascii?, indent?, separators?, sort_keys?)": toJson });

/** Jinja2's filters, by name. `urlize` is not among them: no text of a model is a page. */
export const filters: ReadonlyMap<string, ValueOperation<Value>> = new Map([
  ...jsonFilters,
  ...listFilters,
  ...markupFilters,
  ...numberFilters,
  ...selectFilters,
  ...textFilters,
]);
