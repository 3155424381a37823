import { mostItems, tooManyItems } from "../../too-large-error.ts";
import { typeError } from "./python-error.ts";
import { typeNameOf } from "./type-name.ts";
import { Dict, DictView, Generator, isList, Markup, Range, Tuple, Undefined, type Value } from "./value.ts";

/** Number of characters as Python counts them: a character of two units is one. */
export function characterCount(text: string): number {
  if (!hasPairs(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** Whether a character has two units. */
export const hasPairs = (text: string): boolean => /[\ud800-\udbff]/.test(text);

/** The items that a loop goes through; undefined for a value without any. */
export function iterableItems(value: Value): Iterable<Value> | undefined {
  if (isList(value) || typeof value === "string") return value;
  if (value instanceof Dict) return value.keys();
  if (value instanceof Tuple) return value.items;
  if (value instanceof Generator || value instanceof Range || value instanceof DictView) return value;
  if (value instanceof Undefined) return [];
  return value instanceof Markup ? value.text : undefined;
}

/** @throws PythonError for a value that has no items */
export function iterate(value: Value): Iterable<Value> {
  const items = iterableItems(value);
  if (items === undefined) throw typeError(`'${typeNameOf(value)}' object is not iterable`);
  return items;
}

/** The items as a list. @throws TooLargeError; PythonError for a value that has no items */
export function itemList(value: Value): readonly Value[] {
  if (isList(value)) return value;
  if (value instanceof Tuple) return value.items;
  return boundedList(iterate(value));
}

export function boundedList(items: Iterable<Value>): Value[] {
  const list: Value[] = [];
  for (const item of items) {
    if (list.length === mostItems) throw tooManyItems();
    list.push(item);
  }
  return list;
}

/** The length; undefined for a value that has none. */
export function knownLength(value: Value): number | undefined {
  if (typeof value === "string") return characterCount(value);
  if (isList(value)) return value.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Range) return value.length;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof Undefined) return 0;
  return value instanceof Markup ? characterCount(value.text) : undefined;
}

/** @throws PythonError for a value that has no length */
export function lengthOf(value: Value): number {
  const length = knownLength(value);
  if (length === undefined) throw typeError(`object of type '${typeNameOf(value)}' has no len()`);
  return length;
}

/** Whether the value counts as true. */
export function isTrue(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  if (typeof value === "string") return value !== "";
  return knownLength(value) !== 0;
}
