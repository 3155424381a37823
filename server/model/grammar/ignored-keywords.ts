/** Keywords of a schema that say nothing of values here. */
import { annotations, visitSchemas } from "../../json-schema/json-schema.ts";
import { formatPattern } from "./text/string-formats.ts";

const enforced: ReadonlySet<string> = new Set([
  ...[
    "type",
    "enum",
    "const",
    "$ref",
    "$anchor",
    "$dynamicAnchor",
    "id",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
  ],
  ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties"],
  ...["minProperties", "maxProperties", "dependencies", "dependentRequired", "dependentSchemas"],
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains", "maxContains"],
  ...["minItems", "maxItems", "uniqueItems", "pattern", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["$dynamicRef", "$recursiveRef"],
]);

/** Keywords that JSON Schema does not know, and formats that are not checked; annotations such as `title` are not listed. */
export function ignoredKeywords(schema: unknown): { keyword: string; path: string }[] {
  const found: { keyword: string; path: string }[] = [];
  visitSchemas(schema, (one, path) => {
    for (const [keyword, value] of Object.entries(one)) {
      const isUsed = enforced.has(keyword) || (keyword === "format" && formatPattern(value) !== undefined);
      if (!isUsed && !annotations.has(keyword)) found.push({ keyword, path: ["#", ...path].join("/") });
    }
  });
  return found;
}
