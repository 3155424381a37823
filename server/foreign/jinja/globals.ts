/** The functions that each template has: Jinja2's own, and those that Hugging Face adds. */
import { RefusalError } from "./refusal-error.ts";
import { strftime } from "./strftime.ts";
import { integerArgument, operations, textArgument, type BoundArguments } from "./values/arguments.ts";
import { iterate, lengthOf } from "./values/iterate.ts";
import { TooLargeError } from "../too-large-error.ts";
import { PythonError, valueError } from "./values/python-error.ts";
import { pythonText } from "./values/represent.ts";
import {
  Dict,
  numericValue,
  PythonFunction,
  PythonObject,
  Range,
  type Arguments,
  type Rendering,
  type Value,
} from "./values/value.ts";

/** The longest range that Jinja2's sandbox allows. */
const longestRange = 100_000;

const integerOf = (value: Value | undefined, other: bigint): bigint => {
  if (value === undefined) return other;
  const number = numericValue(value);
  return typeof number === "bigint" ? number : BigInt(integerArgument(value));
};

function range(_self: null, [start, stop, step]: BoundArguments): Value {
  const [from, to] = stop === undefined ? [0n, integerOf(start, 0n)] : [integerOf(start, 0n), integerOf(stop, 0n)];
  const width = integerOf(step, 1n);
  if (width === 0n) throw valueError("range() arg 3 must not be zero");
  const made = new Range(from, to, width);
  if (made.length > longestRange) throw new TooLargeError(`it makes a range of more than ${longestRange} items`);
  return made;
}

/** `dict(mapping, name=value)`, or pairs in place of the mapping. */
function dict({ positional: [source], named }: Arguments): Dict {
  const entries = source instanceof Dict ? source.entries() : source === undefined ? [] : pairsOf(source);
  return new Dict([...entries, ...named]);
}

function pairsOf(value: Value): (readonly [Value, Value])[] {
  return Array.from(iterate(value), (pair) => {
    const [key, each] = [...iterate(pair)];
    if (key === undefined || each === undefined || lengthOf(pair) !== 2)
      throw valueError("dictionary update sequence element has the wrong length; 2 is required");
    return [key, each] as const;
  });
}

/** The one kind of object that a template can change. */
export class Namespace extends PythonObject {
  override readonly typeName = "Namespace";
  readonly #attributes: Dict;
  constructor(attributes: Dict) {
    super();
    this.#attributes = attributes;
  }
  override attribute(name: string): Value | undefined {
    return this.#attributes.get(name);
  }
  override describe(repr: (value: Value) => string): string {
    return `<Namespace ${repr(this.#attributes)}>`;
  }
  set(name: string, value: Value): void {
    this.#attributes.set(name, value);
  }
}

class Cycler extends PythonObject {
  override readonly typeName = "Cycler";
  readonly #items: readonly Value[];
  #at = 0;
  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0) throw new PythonError("TemplateRuntimeError", "at least one item has to be provided");
    this.#items = items;
  }
  override attribute(name: string): Value | undefined {
    if (name === "current") return this.#items[this.#at];
    if (name === "pos") return BigInt(this.#at);
    if (name === "next") return new PythonFunction(name, () => this.#next());
    return name === "reset" ? new PythonFunction(name, () => this.#reset()) : undefined;
  }
  #next(): Value {
    const item = this.#items[this.#at] as Value;
    this.#at = (this.#at + 1) % this.#items.length;
    return item;
  }
  #reset(): null {
    this.#at = 0;
    return null;
  }
}

/** Writes nothing at first, and its separator from then on. */
function joiner({ positional, named }: Arguments): Value {
  const separator = positional[0] ?? named.get("sep") ?? ", ";
  let isUsed = false;
  return new PythonFunction("joiner", () => {
    const text = isUsed ? separator : "";
    isUsed = true;
    return text;
  });
}

const refuse = (_self: null, [message]: BoundArguments, run: Rendering): never => {
  throw new RefusalError(pythonText(message as Value, run.mostCharacters));
};

const bound = operations<null>({
  "raise_exception(message)": refuse,
  "range(start, stop?, step?)": range,
  "strftime_now(format)": (_self, [format]) => strftime(new Date(), textArgument(format)),
});

export const globals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...[...bound].map(([name, call]) => [name, new PythonFunction(name, (args, run) => call(null, args, run))] as const),
  ["dict", new PythonFunction("dict", dict)],
  ["namespace", new PythonFunction("namespace", (args) => new Namespace(dict(args)))],
  ["cycler", new PythonFunction("cycler", ({ positional }) => new Cycler(positional))],
  ["joiner", new PythonFunction("joiner", joiner)],
]);
