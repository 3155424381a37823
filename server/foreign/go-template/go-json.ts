/** JSON as Go's encoding/json writes it. */
import { GoByte, GoMap, GoPointer, GoSlice, GoStruct, isComposite, sortedEntries, type GoValue } from "./go-values.ts";

/** Go escapes what HTML could take for markup, and what JavaScript once could not hold. */
const quoted = (text: string) =>
  JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function isEmpty(value: GoValue): boolean {
  if (value instanceof GoSlice) return value.items.length === 0;
  if (value instanceof GoMap) return value.entries.size === 0;
  if (value instanceof GoPointer) return value.target === undefined;
  return !(value instanceof GoStruct) && !value;
}

const objectOf = (entries: Iterable<readonly [string, GoValue]>) =>
  `{${Array.from(entries, ([name, value]) => `${quoted(name)}:${goJson(value)}`).join(",")}}`;

function structJson({ type, fields }: GoStruct): string {
  const named = [...fields].map(([field, value]) => {
    const { name, omitsEmpty } = type.jsonNames?.get(field) ?? { name: field, omitsEmpty: false };
    return omitsEmpty && isEmpty(value) ? undefined : ([name, value] as const);
  });
  return objectOf(named.filter((entry) => entry !== undefined));
}

export function goJson(value: GoValue): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return value.toString();
  if (value instanceof GoByte) return String(value.value);
  if (!isComposite(value)) return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  const replaced = value.type.json?.(value);
  if (replaced !== undefined) return goJson(replaced);
  if (value instanceof GoPointer) return goJson(value.target);
  if (value instanceof GoStruct) return structJson(value);
  if (value.isNil) return "null";
  if (value instanceof GoSlice) return `[${value.items.map(goJson).join(",")}]`;
  return objectOf(value.type.isOrdered === true ? value.entries : sortedEntries(value));
}
