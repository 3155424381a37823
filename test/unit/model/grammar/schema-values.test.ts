/** What the keywords of numbers and texts let through and what they stop, by the engine's own matcher. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

type Schema = Record<string, unknown>;
/** Schema, values that its grammar generates, values that it must never generate. */
const values: readonly (readonly [what: string, schema: Schema, good: unknown[], bad: unknown[]])[] = [
  ["multiples", { type: "integer", multipleOf: 7, minimum: 10 }, [14, 700], [7, 15]],
  [
    "bounds that were rounded as they were read",
    { type: "integer", minimum: 0, maximum: 2 ** 63 },
    [0, 2 ** 62],
    [2 ** 63, -1],
  ],
  ["multiples behind the point", { type: "number", multipleOf: 0.25 }, [0.5, -1.75, 3], [0.3, 1.1]],
  [
    "bounds behind the point",
    { type: "number", minimum: -1.5, exclusiveMaximum: 2.25 },
    [-1.5, 0, 2.2499],
    [-1.51, 2.25, 3],
  ],
  [
    "a length beside a pattern",
    { type: "string", pattern: "^[a-z]+-[a-z]+$", maxLength: 5 },
    ["a-b", "ab-cd"],
    ["abc-de", "-"],
  ],
  [
    "long lengths",
    { type: "string", minLength: 3000, maxLength: 5500 },
    ["x".repeat(3000), "x".repeat(5500)],
    ["x".repeat(2999), "x".repeat(5501)],
  ],
  [
    "lengths that the pattern has already",
    { type: "string", pattern: "^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^\\w\\s]).{8,64}$", minLength: 8, maxLength: 64 },
    ["Abcdef1!", `Ab1!${"x".repeat(60)}`],
    ["Abcde1!", "abcdefg1!", `Ab1!${"x".repeat(61)}`],
  ],
  ["looking ahead", { type: "string", pattern: "^(?=.*[A-Z])(?!.*\\d).{2,3}$" }, ["Ab", "abC"], ["ab", "A1", "A"]],
  [
    "white space of any kind",
    { type: "string", pattern: "^\\S[^\\s].$" },
    ["abc", "ab "],
    ["a\u00a0c", "\ufeffbc", "ab\u2028", "ab\n"],
  ],
  [
    "days of every month",
    { type: "string", format: "date" },
    ["2024-02-29", "2026-12-31"],
    ["2026-02-29", "2026-04-31", "2100-02-29"],
  ],
  [
    "offsets",
    { type: "string", format: "date-time" },
    ["2026-01-31T23:59:59.5+05:30"],
    ["2026-01-31T23:59:59", "2026-01-31T23:59:59+25:00"],
  ],
  [
    "a format beside a pattern",
    { type: "string", format: "date", pattern: "^2026-" },
    ["2026-01-01"],
    ["2025-01-01", "2026-x"],
  ],
  ["addresses", { type: "string", format: "ipv6" }, ["::1", "2001:db8::8a2e:370:7334"], ["1:2:3", "12345::", ":::"]],
];

it.each(values)("a grammar keeps to %s", (_what, schema, good, bad) => {
  const matches = grammars.matcher(formatGrammar(schema));
  for (const value of good) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
  for (const value of bad) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(false);
});
