/**
 * What is wrong with a value, in words for the person who sent it: predicates such as `is missing`, which follow the name
 * of a field. their Chinese is in server/http/messages.
 */

/** Names of types, by JSON Schema's and zod's words. */
const typeWords: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  nan: "a number",
  int: "a whole number",
  integer: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  date: "a date",
  null: "null",
};

/** Names of text formats. */
const formatWords: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "a URL",
  uri: "a URL",
  "uri-reference": "a URL or a path",
  uuid: "a UUID",
  guid: "a UUID",
  datetime: "a date and time such as 2026-11-20T08:30:00Z",
  "date-time": "a date and time such as 2026-11-20T08:30:00Z",
  date: "a date such as 2026-11-20",
  time: "a time such as 08:30:00",
  duration: "a duration such as PT1H",
  ipv4: "an IP address",
  ipv6: "an IP address",
  hostname: "a host name",
  regex: "a regular expression",
};

export const isNotGiven = "is missing";
export const isUnknown = "is not a known field";
export const isInvalid = "is not valid";
export const hasDuplicates = "must not have equal items";
export const isNotAllowed = "is not allowed";
export const wrongName = "has a member whose name is not allowed";
export const wrongItem = "has an item that is not valid";
export const isEmpty = "must not be empty";
export const unreadable = "belongs to nobody, so that nobody could read it: it cannot be private";
export const fitsNone = "fits none of the forms that are allowed here";

const wordOf = (type: string) => typeWords[type] ?? "another kind of value";
const listed = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).join(", ");

/** @param given the type of what came, where that tells more */
export function mustBeType(types: readonly string[], given?: string): string {
  const wanted = [...new Set(types.map(wordOf))].join(" or ");
  const tellsNoMore =
    given === undefined || wordOf(given) === wanted || (given === "number" && wanted.includes("a whole number"));
  return tellsNoMore ? `must be ${wanted}` : `must be ${wanted}, not ${wordOf(given)}`;
}

export const mustBeFormat = (format: string) =>
  formatWords[format] === undefined ? `must have the format ${format}` : `must be ${formatWords[format]}`;
export const mustFitPattern = (pattern: string) => `must fit the pattern ${pattern}`;
export const mustBeOneOf = (values: readonly unknown[]) =>
  values.length === 1 ? `must be exactly ${listed(values)}` : `must be one of ${listed(values)}`;
export const mustBeMultipleOf = (step: number | bigint) => `must be a multiple of ${String(step)}`;

export type Bound = "at least" | "at most" | "more than" | "less than" | "exactly";
export type CountedUnit = "characters" | "items" | "members";

export const mustBeBounded = (bound: Bound, limit: unknown) => `must be ${bound} ${String(limit)}`;

/** @param counted what has a length: the characters of a text, the items of a list, the members of an object */
export function mustHave(bound: Bound, count: number | bigint, counted: CountedUnit): string {
  if (bound === "at least" && Number(count) === 1) return isEmpty;
  const noun = Number(count) === 1 ? counted.slice(0, -1) : counted;
  return `must have ${bound} ${String(count)} ${noun}`;
}
