/** Rules for JSON itself. White space is allowed where models like to put it, but never without end. */
import { times, type GrammarRules } from "./grammar-rules.ts";

export const spaceRule = (rules: GrammarRules) => rules.once("space", "ws", () => '| " " | "\\n" [ \\t]{0,20}');

/** One character of a string, as JSON writes it: a class of what it is not would take bytes that are no character. */
export const characterRule = (rules: GrammarRules) =>
  rules.once(
    "character",
    "char",
    () =>
      '[ !#-\\x5B\\x5D-\\x7E\\u0080-\\uD7FF\\uE000-\\U0010FFFF] | [\\\\] (["\\\\bfnrt] | "u" [0-9a-ce-fA-CE-F] [0-9a-fA-F]{3})',
  );
export const stringRule = (rules: GrammarRules) =>
  rules.once("string", "string", () => `"\\"" ${characterRule(rules)}* "\\""`);
export const integerRule = (rules: GrammarRules) =>
  rules.once("integer", "integer", () => '"-"? ("0" | [1-9] [0-9]{0,15})');
export const numberRule = (rules: GrammarRules) =>
  rules.once("number", "number", () => `${integerRule(rules)} ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?`);
export const booleanRule = (rules: GrammarRules) => rules.once("boolean", "boolean", () => '"true" | "false"');
export const nullRule = (rules: GrammarRules) => rules.once("null", "null", () => '"null"');

/** Items between brackets, separated by commas: `item` at least `min` and at most `max` times. */
export function listBody(rules: GrammarRules, item: string, min: number, max: number | undefined): string {
  const ws = spaceRule(rules);
  if (max === 0) return `${ws}`;
  // Rules of their own: what the engine repeats most is one part.
  const next = rules.add("next", `${ws} "," ${ws} ${item}`);
  const more = rules.add("more", times(next, Math.max(0, min - 1), max === undefined ? undefined : max - 1));
  const filled = `${item} ${more}`;
  return min > 0 ? `${ws} ${filled} ${ws}` : `${ws} (${filled} ${ws})?`;
}

export const objectRule = (rules: GrammarRules): string =>
  rules.once("object", "object", () => {
    const ws = spaceRule(rules);
    return `"{" ${listBody(rules, `${stringRule(rules)} ${ws} ":" ${ws} ${valueRule(rules)}`, 0, undefined)} "}"`;
  });
export const arrayRule = (rules: GrammarRules): string =>
  rules.once("array", "array", () => `"[" ${listBody(rules, valueRule(rules), 0, undefined)} "]"`);
export const valueRule = (rules: GrammarRules): string =>
  rules.once("value", "value", () =>
    [objectRule, arrayRule, stringRule, numberRule, booleanRule, nullRule].map((rule) => rule(rules)).join(" | "),
  );
