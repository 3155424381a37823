import { areEqual } from "./values/compare.ts";
import { boundedList } from "./values/iterate.ts";
import { typeError } from "./values/python-error.ts";
import { PythonFunction, PythonObject, Undefined, type Arguments, type Value } from "./values/value.ts";

const missing = (reason: string) => new Undefined(() => reason);

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

  override attribute(name: string): Value | undefined {
    switch (name) {
      case "index":
        return BigInt(this.#index0 + 1);
      case "index0":
        return BigInt(this.#index0);
      case "first":
        return this.#index0 === 0;
      case "last":
        return this.#peek() === undefined;
      case "length":
        return BigInt(this.#size());
      case "revindex":
        return BigInt(this.#size() - this.#index0);
      case "revindex0":
        return BigInt(this.#size() - this.#index0 - 1);
      case "previtem":
        return this.#previous === undefined ? missing("there is no previous item") : this.#previous;
      case "nextitem": {
        const next = this.#peek();
        return next === undefined ? missing("there is no next item") : next;
      }
      case "depth":
        return BigInt(this.#depth0 + 1);
      case "depth0":
        return BigInt(this.#depth0);
      case "cycle":
        return new PythonFunction(name, ({ positional }) => this.#cycle(positional));
      case "changed":
        return new PythonFunction(name, ({ positional }) => this.#hasChanged(positional));
      default:
        return undefined;
    }
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
