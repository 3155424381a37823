import type { JsonSchema, SchemaObject } from "../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import { unenforceable } from "./unenforceable.ts";

export const referring = ["$ref", "$dynamicRef"] as const;

/** The target of a reference of a schema. @throws OllamaError 400 */
export function referenceTarget(
  references: SchemaReferences,
  schema: SchemaObject,
  path: string,
  keyword: (typeof referring)[number] = "$ref",
): JsonSchema {
  const reference = schema[keyword];
  if (typeof reference !== "string") throw unenforceable(keyword, path, "it must be a text");
  const [target, ...others] =
    keyword === "$ref" ? [references.target(schema, reference)] : references.dynamicTargets(schema, reference);
  if (others.length > 0) throw unenforceable(keyword, path, "it may lead to several schemas");
  if (target === undefined || target === "nowhere") throw unenforceable(keyword, path, "its target does not exist");
  if (target === "elsewhere") throw unenforceable(keyword, path, "only references within the schema are supported");
  return target;
}
