import { isObject } from "../../../../contract/is-object.ts";
import type { SchemaRecord } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { asObject } from "../../json-value.ts";

/**
 * The format in `response_format` or `text.format`; `schemaOf` returns the schema, whose place differs between them.
 * @throws OllamaError 400
 */
export function readFormat(
  format: unknown,
  field: string,
  schemaOf: (format: Readonly<Record<string, unknown>>) => unknown,
): undefined | "json" | SchemaRecord {
  if (format === undefined || format === null) return undefined;
  const { type, schema: ofObject } = asObject(format);
  if (type === "text") return undefined;
  // Client libraries for engines of their own kind send a schema here, too.
  if (type === "json_object" && (ofObject === undefined || ofObject === null)) return "json";
  if (type !== "json_schema" && type !== "json_object")
    throw new OllamaError(400, `invalid ${field}: its type must be "text", "json_object" or "json_schema"`);
  const schema = type === "json_object" ? ofObject : schemaOf(asObject(format));
  if (!isObject(schema)) throw new OllamaError(400, `invalid ${field}: a JSON Schema object is missing`);
  return schema;
}
