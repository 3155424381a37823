/** Emits the first value at once, and only the last one of those that come within `ms` after it. */
export class Throttle<Value> {
  readonly #ms: number;
  readonly #emit: (value: Value) => void;
  #timer: NodeJS.Timeout | undefined;
  #latest: { readonly value: Value } | undefined;

  constructor(ms: number, emit: (value: Value) => void) {
    this.#ms = ms;
    this.#emit = emit;
  }

  push(value: Value): void {
    if (this.#timer) this.#latest = { value };
    else this.#begin(value);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(value: Value): void {
    this.#timer = setTimeout(() => this.#next(), this.#ms).unref();
    this.#emit(value);
  }

  #next(): void {
    const latest = this.#latest;
    this.#timer = this.#latest = undefined;
    if (latest) this.#begin(latest.value);
  }
}
