/** Strings of a schema: in JSON, and as plain text for markup that has no quotes. */
import type { JsonSchema } from "../chat-completion.ts";
import { literal, mostRepetitions, oneOf, times } from "./grammar-rules.ts";
import { characterRule } from "./json-rules.ts";
import { patternGrammar } from "./pattern-grammar.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { stringFormats } from "./string-formats.ts";
import { unenforceable } from "./unenforceable.ts";

/** What stands between the quotes; `character` is the rule for one of any kind. */
function insideBody(schema: JsonSchema, path: string, character: string): string {
  const { minLength, maxLength, pattern, format } = schema as Record<string, unknown>;
  const [least, most] = [Number(minLength ?? 0), maxLength === undefined ? undefined : Number(maxLength)];
  const known = typeof format === "string" ? stringFormats[format] : undefined;
  const counted = maxLength !== undefined ? "maxLength" : "minLength";
  // Texts of a known format are never empty.
  const isCounted = most !== undefined || least > (pattern === undefined ? 1 : 0);
  if ((pattern !== undefined || known !== undefined) && isCounted)
    throw unenforceable(counted, path, `together with ${pattern === undefined ? "format" : "pattern"}`);
  if (typeof pattern === "string") {
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
  if (Array.isArray(values)) return oneOf(values.filter((one) => typeof one === "string").map(literal));
  return insideBody(schema, path, "[^<]");
}
