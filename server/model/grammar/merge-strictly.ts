import { propertiesOf } from "../../json-schema/json-schema.ts";
import { mergeSchemas } from "../../json-schema/merge-schemas.ts";
import type { JsonSchema } from "../chat-completion.ts";
import { unenforceable } from "./unenforceable.ts";

const reasons = new Map([
  ["properties", "it must be an object"],
  ["type", "no value has all of these types"],
]);

/**
 * One schema for two that must hold together (`allOf`, and keywords beside `anyOf` or `$ref`).
 * @throws OllamaError 400 naming a keyword that the schemas disagree about
 */
export function mergeStrictly(a: JsonSchema, b: JsonSchema, path: string): JsonSchema {
  const merged = mergeSchemas(a, b, (keyword) => {
    throw unenforceable(keyword, path, reasons.get(keyword) ?? "it is required in two ways at once");
  });
  const closed = [a, b].find((one) => one["additionalProperties"] === false);
  const [inside, outside] = [propertiesOf(closed ?? {}), propertiesOf(closed === a ? b : a)];
  if (closed !== undefined && Object.keys(outside).some((name) => !Object.hasOwn(inside, name)))
    throw unenforceable("additionalProperties", path, "it forbids members that another part of the schema names");
  return merged;
}
