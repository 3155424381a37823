import { CharacterCount, mostItems, tooManyItems } from "../../too-large-error.ts";
import { integerArgument, operations, textArgument, type BoundArguments } from "../values/arguments.ts";
import { areEqual, isOrdered, sortedBy } from "../values/compare.ts";
import { isTrue, iterate, knownLength, lengthOf, itemList } from "../values/iterate.ts";
import { operate } from "../values/operators.ts";
import { PythonError, typeError } from "../values/python-error.ts";
import { pythonText } from "../values/represent.ts";
import { typeNameOf } from "../values/type-name.ts";
import {
  Dict,
  Generator,
  isText,
  numericValue,
  Tuple,
  Undefined,
  ValueSet,
  type Rendering,
  type Value,
} from "../values/value.ts";
import { elementOf, attributeOrItem, attributePath } from "../members.ts";
import { joinTexts } from "../text/join-texts.ts";

const withoutCase = (value: Value): Value => (isText(value) ? textArgument(value).toLowerCase() : value);

/** The value that something is sorted or grouped by. */
function keyOf(attribute: Value, isCaseSensitive: Value): (item: Value) => Value {
  const path = attributePath(attribute);
  return isTrue(isCaseSensitive) ? path : (item) => withoutCase(path(item));
}

const empty = (what: string) => new Undefined(() => `No ${what} item, sequence was empty.`);

function first(value: Value): Value {
  const found = iterate(value)[Symbol.iterator]().next();
  return found.done === true ? empty("first") : found.value;
}

function last(value: Value): Value {
  if (value instanceof Generator || knownLength(value) === undefined)
    throw typeError(`'${typeNameOf(value)}' object is not reversible`);
  return itemList(value).at(-1) ?? (lengthOf(value) === 0 ? empty("last") : null);
}

function reversed(value: Value): Value {
  if (isText(value)) return [...textArgument(value)].reverse().join("");
  if (knownLength(value) === undefined && !(value instanceof Generator))
    throw new PythonError("FilterArgumentError", "argument must be iterable");
  const items = [...itemList(value)].reverse();
  return value instanceof Generator ? items : new Generator(items);
}

function extreme(value: Value, [caseSensitive = false, attribute = null]: BoundArguments, operator: "<" | ">"): Value {
  const key = keyOf(attribute, caseSensitive);
  let best: { readonly item: Value; readonly key: Value } | undefined;
  for (const item of iterate(value)) {
    const next = { item, key: key(item) };
    if (best === undefined || isOrdered(next.key, operator, best.key)) best = next;
  }
  return best === undefined ? empty("aggregated") : best.item;
}

function sorted(value: Value, [reverse = false, caseSensitive = false, attribute = null]: BoundArguments): Value {
  const paths = isText(attribute) ? textArgument(attribute).split(",") : [attribute];
  const keys = paths.map((path) => keyOf(path, caseSensitive));
  return sortedBy(itemList(value), (item) => keys.map((key) => key(item)), isTrue(reverse));
}

function dictSorted(value: Value, [caseSensitive = false, by = "key", reverse = false]: BoundArguments): Value {
  const at = ["key", "value"].indexOf(textArgument(by));
  if (at < 0) throw new PythonError("FilterArgumentError", 'You can only sort by either "key" or "value"');
  if (value instanceof Undefined) value.fail();
  if (!(value instanceof Dict))
    throw new PythonError("AttributeError", `'${typeNameOf(value)}' object has no attribute 'items'`);
  const key = keyOf(BigInt(at), caseSensitive);
  return sortedBy(
    [...value.entries()].map((pair) => new Tuple(pair)),
    key,
    isTrue(reverse),
  );
}

function* unique(value: Value, [caseSensitive = false, attribute = null]: BoundArguments): Iterable<Value> {
  const key = keyOf(attribute, caseSensitive);
  const seen = new ValueSet();
  for (const item of iterate(value)) if (seen.add(key(item))) yield item;
}

function grouped(value: Value, [attribute, other = null, caseSensitive = false]: BoundArguments): Value {
  const name = attributePath(attribute as Value, other);
  const key = (item: Value) => (isTrue(caseSensitive) ? name(item) : withoutCase(name(item)));
  const groups: Value[][] = [];
  for (const item of sortedBy(itemList(value), key)) {
    const group = groups.at(-1);
    if (group !== undefined && areEqual(key(group[0] as Value), key(item))) group.push(item);
    else groups.push([item]);
  }
  return groups.map((items) => new Tuple([name(items[0] as Value), items], ["grouper", "list"]));
}

function joined(value: Value, [separator = "", attribute = null]: BoundArguments, run: Rendering): string {
  const path = attributePath(attribute);
  const write = (item: Value) => pythonText(item, run.mostCharacters);
  const texts: string[] = [];
  const count = new CharacterCount(run.mostCharacters);
  for (const item of iterate(value)) {
    if (texts.length === mostItems) throw tooManyItems();
    texts.push(count.add(write(path(item))));
  }
  return joinTexts(write(separator), texts, run.mostCharacters);
}

function summed(value: Value, [attribute = null, start = 0n]: BoundArguments, run: Rendering): Value {
  const path = attributePath(attribute);
  if (isText(start)) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  let sum: Value = start;
  for (const item of iterate(value)) sum = operate(sum, "+", path(item), run);
  return sum;
}

function* batches(value: Value, [size, filler = null]: BoundArguments): Iterable<Value> {
  const most = numericValue(size);
  let batch: Value[] = [];
  for (const item of iterate(value)) {
    // By value: an integer may equal a float.
    if (batch.length == most) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length === 0) return;
  const missing = filler === null ? 0 : integerArgument(size) - batch.length;
  if (missing > mostItems) throw tooManyItems();
  yield [...batch, ...Array.from({ length: Math.max(0, missing) }, () => filler)];
}

function* slices(value: Value, [count, filler = null]: BoundArguments): Iterable<Value> {
  const items = itemList(value);
  const wanted = integerArgument(count);
  if (wanted === 0) throw new PythonError("ZeroDivisionError", "integer division or modulo by zero");
  if (wanted > mostItems) throw tooManyItems();
  const size = Math.floor(items.length / wanted);
  const longer = items.length % wanted;
  let from = 0;
  for (let at = 0; at < wanted; at++) {
    const slice = items.slice(from, from + size + (at < longer ? 1 : 0));
    from += slice.length;
    yield filler !== null && at >= longer ? [...slice, filler] : slice;
  }
}

/** The pairs of a mapping. A missing value has none. */
function* pairs(value: Value): Iterable<Value> {
  if (value instanceof Undefined) return;
  if (!(value instanceof Dict)) throw typeError("Can only get item pairs from a mapping.");
  for (const pair of value.entries()) yield new Tuple(pair);
}

function attribute(value: Value, [name]: BoundArguments): Value {
  const key = textArgument(name);
  if (value instanceof Dict && value.has(key)) {
    const method = attributeOrItem(new Dict(), key);
    if (method instanceof Undefined) return new Undefined(() => `'dict object' has no attribute '${key}'`);
  }
  return attributeOrItem(value, key);
}

const isDefaulted = (value: Value, isForFalse: Value) =>
  value instanceof Undefined || (isTrue(isForFalse) && !isTrue(value));

function random(value: Value): Value {
  const length = lengthOf(value);
  return length === 0 ? empty("random") : elementOf(value, BigInt(Math.floor(Math.random() * length)));
}

export const listFilters = operations<Value>({
  "attr(name)": attribute,
  "batch(linecount, fill_with?)": (value, args) => new Generator(batches(value, args)),
  "default|d(default_value?, boolean?)": (value, [other = "", isForFalse = false]) =>
    isDefaulted(value, isForFalse) ? other : value,
  "dictsort(case_sensitive?, by?, reverse?)": dictSorted,
  "first()": first,
  "groupby(attribute, default?, case_sensitive?)": grouped,
  "items()": (value) => new Generator(pairs(value)),
  "join(d?, attribute?)": joined,
  "last()": last,
  "length|count()": (value) => BigInt(lengthOf(value)),
  "list()": (value) => [...itemList(value)],
  "max(case_sensitive?, attribute?)": (value, args) => extreme(value, args, ">"),
  "min(case_sensitive?, attribute?)": (value, args) => extreme(value, args, "<"),
  "random()": random,
  "reverse()": reversed,
  "slice(slices, fill_with?)": (value, args) => new Generator(slices(value, args)),
  "sort(reverse?, case_sensitive?, attribute?)": sorted,
  "sum(attribute?, start?)": summed,
  "unique(case_sensitive?, attribute?)": (value, args) => new Generator(unique(value, args)),
});
