/**
 * The values of templates. Integers are bigints and floats are numbers, so that `7 // 2` and `7 / 2` differ as in Python.
 * No value ever changes, except namespaces and what counts (loops, cyclers, generators): the sandbox refuses `append` and its like.
 */
import { TooLargeError } from "../../too-large-error.ts";
import { PythonError, typeError } from "./python-error.ts";

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Tuple
  | Dict
  | DictView
  | Range
  | Generator
  | Undefined
  | PythonObject;

/** The arguments of a call. */
export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** The rendering that an operation is part of. */
export interface Rendering {
  /** The most characters of a text. */
  readonly mostCharacters: number;
  /** Applies a filter. @throws PythonError for an unknown one */
  filter(name: string, value: Value, args: Arguments): Value;
  /** Applies a test. @throws PythonError for an unknown one */
  test(name: string, value: Value, args: Arguments): boolean;
}

export class Tuple {
  readonly items: readonly Value[];
  /** The names of the items of a named tuple. */
  readonly names: readonly string[];
  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** The result of `keys()`, `values()` and `items()`, which is no list. */
export class DictView {
  readonly part: "keys" | "values" | "items";
  readonly dict: Dict;
  constructor(part: DictView["part"], dict: Dict) {
    this.part = part;
    this.dict = dict;
  }
  *[Symbol.iterator](): IterableIterator<Value> {
    for (const [key, value] of this.dict.entries())
      yield this.part === "keys" ? key : this.part === "values" ? value : new Tuple([key, value]);
  }
}

export class Range {
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: number;
  constructor(start: bigint, stop: bigint, step: bigint) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    const distance = step > 0n ? stop - start : start - stop;
    const width = step > 0n ? step : -step;
    this.length = distance > 0n ? Number((distance + width - 1n) / width) : 0;
  }
  at(index: number): bigint {
    return this.start + BigInt(index) * this.step;
  }
  *[Symbol.iterator](): IterableIterator<bigint> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/** Items that are made when they are asked for, once. */
export class Generator {
  readonly #items: Iterator<Value>;
  constructor(items: Iterable<Value>) {
    this.#items = items[Symbol.iterator]();
  }
  next(): IteratorResult<Value> {
    return this.#items.next();
  }
  [Symbol.iterator](): this {
    return this;
  }
}

/** A missing value. It is written as an empty text; most other operations fail with its reason. */
export class Undefined {
  readonly #reason: () => string;
  readonly #error: "UndefinedError" | "SecurityError";
  constructor(reason: () => string, error: "UndefinedError" | "SecurityError" = "UndefinedError") {
    this.#reason = reason;
    this.#error = error;
  }
  fail(): never {
    throw new PythonError(this.#error, this.#reason());
  }
}

/** An object with attributes of its own: a namespace, a loop, a macro, a function. */
export abstract class PythonObject {
  abstract readonly typeName: string;
  /** The attribute; undefined for one that is missing. */
  attribute?(name: string): Value | undefined;
  /** The object as a text; undefined for one that only names its type. */
  describe?(repr: (value: Value) => string): string;
  /** Undefined for an object that cannot be called. */
  readonly call?: (args: Arguments, run: Rendering) => Value;
}

export class PythonFunction extends PythonObject {
  override readonly typeName = "function";
  readonly name: string;
  override readonly call: (args: Arguments, run: Rendering) => Value;
  constructor(name: string, call: (args: Arguments, run: Rendering) => Value) {
    super();
    this.name = name;
    this.call = call;
  }
}

/** The result of `escape`: a text that is not escaped again. */
export class Markup extends PythonObject {
  override readonly typeName = "Markup";
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
}

export const isText = (value: Value | undefined): value is string | Markup =>
  typeof value === "string" || value instanceof Markup;

export const plainText = (value: string | Markup): string => (typeof value === "string" ? value : value.text);

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

/** The number that a value counts as; undefined for another. */
export function numericValue(value: Value | undefined): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return undefined;
}

/** The most characters of a key, with all that a tuple holds. */
const longestKey = 1_000_000;

/** Stands for all missing values, which are equal. */
const undefinedKey = Symbol("undefined");

/** A value that is the same for equal keys. @throws PythonError for a value that cannot be a key */
function keyOf(key: Value): unknown {
  if (typeof key === "string" || key === null) return key;
  if (typeof key === "boolean") return key ? 1n : 0n;
  if (typeof key === "number") return Number.isInteger(key) ? BigInt(key) : key;
  if (key instanceof Markup) return key.text;
  if (key instanceof Tuple) return tupleKey(key);
  if (key instanceof Undefined) return undefinedKey;
  if (isList(key)) throw typeError("unhashable type: 'list'");
  if (key instanceof Dict) throw typeError("unhashable type: 'dict'");
  return key;
}

/** Begins with a character that no template contains unescaped. */
function tupleKey(tuple: Tuple): string {
  let text = "\0(";
  for (const item of tuple.items) {
    const part = keyOf(item);
    text += `${typeof part}:${String(part).length}:${String(part)},`;
    if (text.length > longestKey)
      throw new TooLargeError(`it makes a key of more than ${String(longestKey)} characters`);
  }
  return text;
}

/** A mapping in the order of its keys. */
export class Dict {
  readonly #entries = new Map<unknown, [key: Value, value: Value]>();
  constructor(entries: Iterable<readonly [key: Value, value: Value]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }
  /** Only for one that no template has yet. */
  set(key: Value, value: Value): void {
    const hashed = keyOf(key);
    const entry = this.#entries.get(hashed);
    if (entry === undefined) this.#entries.set(hashed, [key, value]);
    else entry[1] = value;
  }
  get(key: Value): Value | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }
  has(key: Value): boolean {
    return this.#entries.has(keyOf(key));
  }
  get size(): number {
    return this.#entries.size;
  }
  entries(): Iterable<readonly [key: Value, value: Value]> {
    return this.#entries.values();
  }
  *keys(): IterableIterator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** The distinct values of some, in order. */
export class ValueSet {
  readonly #seen = new Set<unknown>();
  /** Whether the value was not there before. @throws PythonError for a value that cannot be a key */
  add(value: Value): boolean {
    const before = this.#seen.size;
    return this.#seen.add(keyOf(value)).size > before;
  }
}
