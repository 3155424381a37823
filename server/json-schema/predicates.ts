/** Problems with a value, as messages that follow the name of a field. */
import { message, type Message, type Text } from "../contract/messages/message.ts";

/** Types by JSON Schema's and zod's words. */
const types = {
  string: "type.text",
  number: "type.number",
  nan: "type.number",
  int: "type.integer",
  integer: "type.integer",
  bigint: "type.integer",
  boolean: "type.boolean",
  array: "type.list",
  tuple: "type.list",
  set: "type.list",
  object: "type.object",
  record: "type.object",
  map: "type.object",
  date: "type.date",
  null: "type.null",
} as const;

/** Formats of texts. */
const formats = {
  email: "format.email",
  url: "format.url",
  uri: "format.url",
  "uri-reference": "format.urlOrPath",
  uuid: "format.uuid",
  guid: "format.uuid",
  datetime: "format.dateTime",
  "date-time": "format.dateTime",
  date: "format.date",
  time: "format.time",
  duration: "format.duration",
  ipv4: "format.ip",
  ipv6: "format.ip",
  hostname: "format.host",
  regex: "format.regex",
} as const;

export const isNotGiven = message("is.missing");
export const isUnknown = message("is.unknown");
export const isInvalid = message("is.invalid");
export const hasDuplicates = message("is.repetitive");
export const isNotAllowed = message("is.forbidden");
export const wrongName = message("is.wrongName");
export const wrongItem = message("is.wrongItem");
export const isEmpty = message("is.empty");
export const unreadable = message("is.nobodys");
export const fitsNone = message("is.noForm");

const codeOf = (type: string) => (Object.hasOwn(types, type) ? types[type as keyof typeof types] : "type.other");
const listed = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one));

/** `a text or a number` */
export const eitherOf = (types: readonly Text[]): Text =>
  types.reduce((one, other) => message("type.or", { one, other }));

/** @param given the type of the received value, if it helps */
export function mustBeType(names: readonly string[], found?: string): Message {
  const wanted = new Set<string>(names.map(codeOf));
  const type = eitherOf([...new Set(names.map(codeOf))].map((code) => message(code)));
  const isKnown =
    found === undefined ||
    (wanted.size === 1 && wanted.has(codeOf(found))) ||
    (found === "number" && wanted.has("type.integer"));
  return isKnown ? message("is.type", { type }) : message("is.otherType", { type, found: message(codeOf(found)) });
}

export const mustBeFormat = (format: string): Message =>
  Object.hasOwn(formats, format)
    ? message("is.type", { type: message(formats[format as keyof typeof formats]) })
    : message("is.format", { format });
export const mustFitPattern = (pattern: string): Message => message("is.pattern", { pattern });
export const mustBeOneOf = (values: readonly unknown[]): Message =>
  values.length === 1
    ? message("is.exact", { value: listed(values) })
    : message("is.oneOf", { values: listed(values) });
export const mustBeMultipleOf = (step: number | bigint): Message => message("is.multiple", { step: String(step) });

export type Bound = "least" | "most" | "more" | "less" | "exactly";
export type CountedUnit = "character" | "item" | "member";

export const mustBeBounded = (bound: Bound, limit: unknown): Message =>
  message(`is.${bound}`, { limit: String(limit) });

/** @param unit what has a length: the characters of a text, the items of a list, the members of an object */
export function mustHave(bound: Bound, count: number | bigint, unit: CountedUnit): Message {
  if (bound === "least" && Number(count) === 1) return isEmpty;
  return message("is.sized", {
    bound: message(`bound.${bound}`),
    count: String(count),
    unit: message(Number(count) === 1 ? `unit.${unit}` : `unit.${unit}s`),
  });
}
