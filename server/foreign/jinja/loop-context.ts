import { areEqual } from "./values/compare.ts";
import { boundedList } from "./values/iterate.ts";
import { typeError } from "./values/python-error.ts";
import { PythonFunction, PythonObject, Undefined, type Arguments, type Value } from "./values/value.ts";

const orMissing = (value: Value | undefined, reason: string) =>
  value === undefined ? new Undefined(() => reason) : value;

/**
 * The variable `loop`. Items are taken one by one: the next one when `loop.last` or `loop.nextitem` is asked for, all when
 * the length is.
 */
export class LoopContext extends PythonObject {
  override readonly typeName = "LoopContext";
  readonly #depth0: number;
  readonly #render: ((items: Value) => Value) | undefined;
  #rest: Iterator<Value>;
  #length: number | undefined;
  #index0 = -1;
  #previous: Value | undefined;
  #current: Value | undefined;
  /** The item behind the current one, if it was asked for. */
  #peeked: IteratorResult<Value> | undefined;
  #changed: readonly Value[] | undefined;

  /** `render`: of a recursive loop, renders its body for other items. */
  constructor(items: Iterable<Value>, depth0: number, render: ((items: Value) => Value) | undefined) {
    super();
    this.#rest = items[Symbol.iterator]();
    this.#length = Array.isArray(items) ? items.length : undefined;
    this.#depth0 = depth0;
    this.#render = render;
  }

  /** Goes to the next item; undefined at the end. */
  next(): Value | undefined {
    const found = this.#peeked ?? this.#rest.next();
    this.#peeked = undefined;
    if (found.done === true) return undefined;
    this.#index0++;
    this.#previous = this.#current;
    this.#current = found.value;
    return found.value;
  }

  #peek(): Value | undefined {
    this.#peeked ??= this.#rest.next();
    return this.#peeked.done === true ? undefined : this.#peeked.value;
  }

  #size(): number {
    if (this.#length !== undefined) return this.#length;
    const rest = boundedList({ [Symbol.iterator]: () => this.#rest });
    this.#rest = rest[Symbol.iterator]();
    this.#length = rest.length + this.#index0 + 1 + (this.#peeked !== undefined && this.#peeked.done !== true ? 1 : 0);
    return this.#length;
  }

  static readonly #attributes: Readonly<Record<string, (loop: LoopContext) => Value>> = {
    index: (loop) => BigInt(loop.#index0 + 1),
    index0: (loop) => BigInt(loop.#index0),
    first: (loop) => loop.#index0 === 0,
    last: (loop) => loop.#peek() === undefined,
    length: (loop) => BigInt(loop.#size()),
    revindex: (loop) => BigInt(loop.#size() - loop.#index0),
    revindex0: (loop) => BigInt(loop.#size() - loop.#index0 - 1),
    previtem: (loop) => orMissing(loop.#previous, "there is no previous item"),
    nextitem: (loop) => orMissing(loop.#peek(), "there is no next item"),
    depth: (loop) => BigInt(loop.#depth0 + 1),
    depth0: (loop) => BigInt(loop.#depth0),
    cycle: (loop) => new PythonFunction("cycle", ({ positional }) => loop.#cycle(positional)),
    changed: (loop) => new PythonFunction("changed", ({ positional }) => loop.#hasChanged(positional)),
  };

  override attribute(name: string): Value | undefined {
    return Object.hasOwn(LoopContext.#attributes, name) ? LoopContext.#attributes[name]?.(this) : undefined;
  }

  override describe(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.#size()}>`;
  }

  #cycle(items: readonly Value[]): Value {
    if (items.length === 0) throw typeError("no items for cycling given");
    return items[this.#index0 % items.length] as Value;
  }

  #hasChanged(values: readonly Value[]): boolean {
    const last = this.#changed;
    const isSame = last?.length === values.length && last.every((value, at) => areEqual(value, values[at] as Value));
    if (!isSame) this.#changed = values;
    return !isSame;
  }

  override readonly call = ({ positional: [items] }: Arguments): Value => {
    if (this.#render === undefined)
      throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    if (items === undefined) throw typeError("loop() missing 1 required argument: 'iterable'");
    return this.#render(items);
  };
}
