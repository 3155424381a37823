import type { Value } from "./values/value.ts";

/** The variables of a part of a template. Inner scopes see those of outer ones; what they set stays with them. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #outer: Scope | undefined;
  constructor(outer?: Scope) {
    this.#outer = outer;
  }
  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    return value === undefined ? this.#outer?.get(name) : value;
  }
  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}
