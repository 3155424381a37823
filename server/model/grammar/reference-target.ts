import type { JsonSchema, SchemaObject } from "../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import { unenforceable } from "./unenforceable.ts";

/** What the `$ref` of a schema refers to. @throws OllamaError 400 */
export function referenceTarget(references: SchemaReferences, schema: SchemaObject, path: string): JsonSchema {
  const { $ref: reference } = schema;
  if (typeof reference !== "string") throw unenforceable("$ref", path, "it must be a text");
  const target = references.target(schema, reference);
  if (target === "elsewhere") throw unenforceable("$ref", path, "only references within the schema are followed");
  if (target === "nowhere") throw unenforceable("$ref", path, "nothing is where it points to");
  return target;
}
