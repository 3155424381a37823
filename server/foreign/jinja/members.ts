/** Attributes and items of values, as Jinja2's sandbox finds them: a dot looks for the attribute first, brackets for the item. */
import { integerArgument, operations, type ValueOperation } from "./values/arguments.ts";
import { areEqual } from "./values/compare.ts";
import { characterCount, hasPairs } from "./values/iterate.ts";
import { quoted, reprOf } from "./values/represent.ts";
import { typeError, valueError } from "./values/python-error.ts";
import { typeNameOf } from "./values/type-name.ts";
import {
  Dict,
  DictView,
  isList,
  isText,
  numericValue,
  plainText,
  PythonFunction,
  PythonObject,
  Range,
  Tuple,
  Undefined,
  type Arguments,
  type Rendering,
  type Value,
} from "./values/value.ts";
import { formatBraces } from "./text/brace-format.ts";
import { textMethods } from "./text/text-methods.ts";

function positionIn(items: readonly Value[], wanted: Value, name: string): bigint {
  const at = items.findIndex((item) => areEqual(item, wanted));
  if (at < 0) throw valueError(`${name}.index(x): x not in ${name}`);
  return BigInt(at);
}

const sequenceMethods = operations<{ readonly items: readonly Value[]; readonly name: string }>({
  "count(value, /)": ({ items }, [value]) => BigInt(items.filter((item) => areEqual(item, value as Value)).length),
  "index(value, /)": ({ items, name }, [value]) => positionIn(items, value as Value, name),
  "copy()": ({ items }) => items,
});

const dictMethods = operations<Dict>({
  "copy()": (dict) => dict,
  "get(key, default?, /)": (dict, [key, other = null]) => {
    const value = dict.get(key as Value);
    return value === undefined ? other : value;
  },
  "items()": (dict) => new DictView("items", dict),
  "keys()": (dict) => new DictView("keys", dict),
  "values()": (dict) => new DictView("values", dict),
});

const numberMethods = operations<bigint | number>({
  "is_integer()": (number) => typeof number === "bigint" || Number.isInteger(number),
  "conjugate()": (number) => number,
});
const integerMethods = operations<bigint>({
  "bit_length()": (number) => BigInt(number === 0n ? 0 : (number < 0n ? -number : number).toString(2).length),
});

/** The methods that change a list or mapping, which the sandbox refuses. */
const changing = {
  list: new Set(["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"]),
  dict: new Set(["clear", "pop", "popitem", "setdefault", "update"]),
};

const bound = <Self>(methods: ReadonlyMap<string, ValueOperation<Self>>, self: Self, name: string) => {
  const method = methods.get(name);
  return method && new PythonFunction(name, (args, run) => method(self, args, run));
};

/** Python's own attribute of a value; undefined for one that is missing. */
function attributeOf(value: Value, name: string): Value | undefined {
  if (value instanceof Dict) return changing.dict.has(name) ? unsafe(value, name) : bound(dictMethods, value, name);
  if (isText(value)) return textAttribute(plainText(value), name);
  if (isList(value))
    return changing.list.has(name) ? unsafe(value, name) : bound(sequenceMethods, { items: value, name: "list" }, name);
  if (value instanceof Tuple) return tupleAttribute(value, name);
  if (value instanceof PythonObject) return value.attribute?.(name);
  const number = numericValue(value);
  return number === undefined ? undefined : numberAttribute(number, name);
}

function textAttribute(text: string, name: string): Value | undefined {
  if (name === "format") return new PythonFunction(name, (args, run) => formatBraces(text, args, fieldAccess, run));
  if (name === "format_map")
    return new PythonFunction(name, ({ positional: [values] }, run) => {
      if (!(values instanceof Dict)) throw typeError("format_map() takes a mapping");
      const named = new Map([...values.entries()].map(([key, value]) => [typeof key === "string" ? key : "", value]));
      return formatBraces(text, { positional: [], named }, fieldAccess, run);
    });
  return bound(textMethods, text, name);
}

function tupleAttribute({ items, names }: Tuple, name: string): Value | undefined {
  const at = names.indexOf(name);
  if (at >= 0) return items[at];
  return name === "copy" ? undefined : bound(sequenceMethods, { items, name: "tuple" }, name);
}

function numberAttribute(number: bigint | number, name: string): Value | undefined {
  if (name === "real") return number;
  if (name === "imag") return typeof number === "bigint" ? 0n : 0;
  if (typeof number === "bigint" && name === "numerator") return number;
  if (typeof number === "bigint" && name === "denominator") return 1n;
  if (typeof number === "bigint" && name !== "conjugate") return bound(integerMethods, number, name);
  return bound(numberMethods, number, name);
}

const unsafe = (value: Value, name: string) =>
  new Undefined(() => `access to attribute '${name}' of '${typeNameOf(value)}' object is unsafe.`, "SecurityError");

/** Attributes that each object of Python has. */
const common = new Set(["__class__", "__doc__", "__init__", "__dir__", "__eq__", "__hash__", "__str__", "__repr__"]);

const missing = (value: Value, key: Value) =>
  new Undefined(() => {
    const name = typeof key === "string" ? quoted(key) : reprOf(key, 1000);
    if (typeof key !== "string") return `${objectName(value)} has no element ${name}`;
    return `${quoted(objectName(value))} has no attribute ${name}`;
  });

const objectName = (value: Value) => (value === null ? "None" : `${typeNameOf(value)} object`);

/** `value.name`. @throws PythonError for a missing value */
export function attributeOrItem(value: Value, name: string): Value {
  if (value instanceof Undefined) value.fail();
  if (common.has(name)) return unsafe(value, name);
  const attribute = attributeOf(value, name);
  if (attribute !== undefined) return attribute;
  const item = itemOf(value, name);
  return item === undefined ? missing(value, name) : item;
}

/** `value[key]`. @throws PythonError for a missing value */
export function elementOf(value: Value, key: Value): Value {
  if (value instanceof Undefined) value.fail();
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  if (typeof key !== "string") return missing(value, key);
  const attribute = common.has(key) ? unsafe(value, key) : attributeOf(value, key);
  return attribute === undefined ? missing(value, key) : attribute;
}

const fieldAccess = { attribute: attributeOrItem, item: elementOf };

/** The item of a list, text or mapping; undefined for one that is missing. */
function itemOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) return isHashable(key) ? value.get(key) : undefined;
  const index = numericValue(key);
  if (typeof index !== "bigint") return undefined;
  const at = Number(index);
  if (isList(value)) return value.at(at);
  if (value instanceof Tuple) return value.items.at(at);
  if (isText(value)) return characterOf(plainText(value), at);
  if (value instanceof Range) {
    const from = at < 0 ? at + value.length : at;
    return from >= 0 && from < value.length ? value.at(from) : undefined;
  }
  return undefined;
}

const characterOf = (text: string, at: number) => (hasPairs(text) ? [...text].at(at) : text.at(at));

function isHashable(key: Value): boolean {
  if (key instanceof Tuple) return key.items.every(isHashable);
  return !isList(key) && !(key instanceof Dict);
}

/** The bounds of a slice; undefined for one that was left out. */
export interface Slice {
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

/** `value[start:stop:step]`. @throws PythonError for a missing value, or a step of zero */
export function sliceOf(value: Value, slice: Slice): Value {
  if (value instanceof Undefined) value.fail();
  if (value instanceof Dict) throw typeError("unhashable type: 'slice'");
  if (!(isList(value) || value instanceof Tuple || isText(value) || value instanceof Range))
    throw typeError(`'${typeNameOf(value)}' object is not subscriptable`);
  for (const bound of [slice.start, slice.stop, slice.step])
    if (bound !== null && typeof numericValue(bound) !== "bigint")
      throw typeError("slice indices must be integers or None or have an __index__ method");
  if (isList(value)) return sliced(value, slice);
  if (value instanceof Tuple) return new Tuple(sliced(value.items, slice));
  if (value instanceof Range) return slicedRange(value, slice);
  const text = plainText(value);
  const isPlain = !hasPairs(text);
  const { start, count, step } = indexesOf(isPlain ? text.length : characterCount(text), slice);
  if (isPlain && step === 1) return text.slice(start, start + count);
  return sliced([...text], slice).join("");
}

/** The first index, how many there are, and the distance between two. */
function indexesOf(length: number, { start, stop, step }: Slice) {
  const width = step === null ? 1 : integerArgument(step);
  if (width === 0) throw valueError("slice step cannot be zero");
  const [lowest, highest] = width > 0 ? [0, length] : [-1, length - 1];
  const clamped = (bound: Value, other: number) => {
    if (bound === null) return other;
    const at = integerArgument(bound);
    return Math.min(highest, Math.max(lowest, at < 0 ? at + length : at));
  };
  const from = clamped(start, width > 0 ? 0 : length - 1);
  const to = clamped(stop, width > 0 ? length : -1);
  return { start: from, count: Math.max(0, Math.ceil((to - from) / width)), step: width };
}

function sliced<Item>(items: readonly Item[], slice: Slice): readonly Item[] {
  const { start, count, step } = indexesOf(items.length, slice);
  if (step === 1) return items.slice(start, start + count);
  return Array.from({ length: count }, (_, at) => items[start + at * step] as Item);
}

function slicedRange(range: Range, slice: Slice): Range {
  const { start, count, step } = indexesOf(range.length, slice);
  const distance = range.step * BigInt(step);
  return new Range(range.at(start), range.at(start) + distance * BigInt(count), distance);
}

/** Calls a value. @throws PythonError for one that cannot be called */
export function callValue(value: Value, args: Arguments, run: Rendering): Value {
  if (value instanceof Undefined) value.fail();
  if (value instanceof PythonObject && value.call !== undefined) return value.call(args, run);
  throw typeError(`'${typeNameOf(value)}' object is not callable`);
}

/** The value at the end of a path such as `a.b.0`, or of an index. `other` takes the place of missing values, but not null. */
export function attributePath(attribute: Value, other: Value = null): (value: Value) => Value {
  const step = (value: Value, key: Value) => {
    const found = elementOf(value, key);
    return found instanceof Undefined && other !== null ? other : found;
  };
  if (attribute === null) return (value) => value;
  if (!isText(attribute)) return (value) => step(value, attribute);
  const keys = plainText(attribute)
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
  return (value) => keys.reduce<Value>(step, value);
}
