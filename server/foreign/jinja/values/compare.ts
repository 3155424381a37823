/** Equality, order and membership. */
import { compareTexts } from "../../compare-texts.ts";
import { iterableItems } from "./iterate.ts";
import { typeError } from "./python-error.ts";
import { typeNameOf } from "./type-name.ts";
import {
  Dict,
  DictView,
  isList,
  isText,
  numericValue,
  plainText,
  Range,
  Tuple,
  Undefined,
  type Value,
} from "./value.ts";

export function areEqual(one: Value, other: Value): boolean {
  if (one === other) return true;
  const number = numericValue(one);
  // By value: an integer may equal a float.
  if (number !== undefined) return number == numericValue(other);
  if (isText(one)) return isText(other) && plainText(one) === plainText(other);
  if (isList(one)) return isList(other) && areItemsEqual(one, other);
  if (one instanceof Tuple) return other instanceof Tuple && areItemsEqual(one.items, other.items);
  if (one instanceof Dict) return other instanceof Dict && areDictsEqual(one, other);
  if (one instanceof Range) return other instanceof Range && areItemsEqual([...one], [...other]);
  if (one instanceof DictView && one.part !== "values")
    return other instanceof DictView && other.part === one.part && areDictsEqual(one.dict, other.dict, one.part);
  return one instanceof Undefined && other instanceof Undefined;
}

const areItemsEqual = (ones: readonly Value[], others: readonly Value[]) =>
  ones.length === others.length && ones.every((one, at) => areEqual(one, others[at] as Value));

function areDictsEqual(one: Dict, other: Dict, part?: "keys" | "items"): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one.entries()) {
    const found = other.get(key);
    if (found === undefined || (part !== "keys" && !areEqual(value, found))) return false;
  }
  return true;
}

type OrderOperator = "<" | "<=" | ">" | ">=";

/** Negative, zero or positive, like the difference; NaN where neither holds. @throws PythonError for values that have no order */
function compare(one: Value, other: Value, operator: OrderOperator): number {
  const [a, b] = [numericValue(one), numericValue(other)];
  // By value: an integer may equal a float.
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : a == b ? 0 : Number.NaN;
  if (isText(one) && isText(other)) return compareTexts(plainText(one), plainText(other));
  if (isList(one) && isList(other)) return compareItems(one, other, operator);
  if (one instanceof Tuple && other instanceof Tuple) return compareItems(one.items, other.items, operator);
  for (const operand of [one, other]) if (operand instanceof Undefined) operand.fail();
  throw typeError(`'${operator}' not supported between instances of '${typeNameOf(one)}' and '${typeNameOf(other)}'`);
}

function compareItems(ones: readonly Value[], others: readonly Value[], operator: OrderOperator): number {
  const at = ones.findIndex((one, index) => index >= others.length || !areEqual(one, others[index] as Value));
  if (at < 0 || at >= others.length) return ones.length - others.length;
  return compare(ones[at] as Value, others[at] as Value, operator);
}

const holds: Readonly<Record<OrderOperator, (difference: number) => boolean>> = {
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
};

/** @throws PythonError for values that have no order */
export const isOrdered = (one: Value, operator: OrderOperator, other: Value): boolean =>
  holds[operator](compare(one, other, operator));

/** Sorted by a key of each; equal ones keep their order. @throws PythonError for keys that have no order */
export function sortedBy(
  items: readonly Value[],
  keyOf: (item: Value) => Value,
  isDescending = false,
): readonly Value[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const direction = isDescending ? -1 : 1;
  return keyed.sort((one, other) => direction * compare(one.key, other.key, "<")).map(({ item }) => item);
}

/** Whether `item in container`. @throws PythonError for a container that has no items */
export function isContained(item: Value, container: Value): boolean {
  if (isText(container)) {
    if (isText(item)) return plainText(container).includes(plainText(item));
    throw typeError(`'in <string>' requires string as left operand, not ${typeNameOf(item)}`);
  }
  if (container instanceof Dict) return container.has(item);
  const items = iterableItems(container);
  if (items === undefined) throw typeError(`argument of type '${typeNameOf(container)}' is not iterable`);
  for (const each of items) if (areEqual(each, item)) return true;
  return false;
}

/** @throws PythonError for values that have no order */
export function holdsBetween(one: Value, operator: string, other: Value): boolean {
  switch (operator) {
    case "==":
      return areEqual(one, other);
    case "!=":
      return !areEqual(one, other);
    case "in":
      return isContained(one, other);
    case "not in":
      return !isContained(one, other);
    default:
      return isOrdered(one, operator as OrderOperator, other);
  }
}
