/** Strings of a schema: in JSON, and as plain text for markup that has no quotes. */
import type { JsonSchema } from "../chat-completion.ts";
import { oneOfTexts, times } from "./grammar-rules.ts";
import { mostRepetitions } from "./grammar-size.ts";
import { characterRule } from "./json-rules.ts";
import { patternGrammar } from "./pattern-grammar.ts";
import { countOf, textOf } from "./schema-values.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { stringFormats } from "./string-formats.ts";
import { unenforceable } from "./unenforceable.ts";

/** What stands between the quotes; `character` is the rule for one of any kind. */
function insideBody(schema: JsonSchema, path: string, character: string): string {
  const { format } = schema;
  const pattern = textOf(schema, "pattern", path);
  const [least = 0, most] = [countOf(schema, "minLength", path), countOf(schema, "maxLength", path)];
  const known = typeof format === "string" && Object.hasOwn(stringFormats, format) ? stringFormats[format] : undefined;
  const counted = most !== undefined ? "maxLength" : "minLength";
  // Texts of a known format are never empty.
  const isCounted = most !== undefined || least > (pattern === undefined ? 1 : 0);
  if ((pattern !== undefined || known !== undefined) && isCounted)
    throw unenforceable(counted, path, `together with ${pattern === undefined ? "format" : "pattern"}`);
  if (pattern !== undefined) {
    try {
      return `(${patternGrammar(pattern)})`;
    } catch (error) {
      // Client libraries write patterns for addresses that look ahead; what our grammar of them allows, those do, too.
      if (known === undefined || format !== "email") throw unenforceable("pattern", path, (error as Error).message);
    }
  }
  if (known !== undefined) return known;
  if (Math.max(least, most ?? 0) > mostRepetitions)
    throw unenforceable(counted, path, `at most ${String(mostRepetitions)} characters can be counted`);
  if (least > (most ?? least)) throw unenforceable(counted, path, "no length is left");
  return times(character, least, most);
}

/** The body of a rule for JSON strings of this schema. */
export const stringBody = (schema: JsonSchema, { rules, path }: SchemaPlace) =>
  `"\\"" ${insideBody(schema, path, characterRule(rules))} "\\""`;

/** The same without quotes and escapes, and without "<", where the markup around it begins. */
export function plainTextBody(schema: JsonSchema, { path }: Pick<SchemaPlace, "path">): string {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  const texts = Array.isArray(values) ? values.filter((one) => typeof one === "string") : undefined;
  if (texts?.length === 0) throw unenforceable("enum", path, "no text is left");
  if (texts !== undefined) return oneOfTexts(texts);
  return insideBody(schema, path, "[^<]");
}
