import type { TokenCursor } from "./token-cursor.ts";

/** The names of filters and tests that a template may use. */
export interface KnownNames {
  readonly filters: ReadonlySet<string>;
  readonly tests: ReadonlySet<string>;
}

/** Refuses unknown filters and tests, except inside of conditions: there they only fail when they are reached. */
export class NameCheck {
  readonly #known: KnownNames;
  readonly #tokens: TokenCursor;
  #unknown: { readonly problem: string; readonly line: number }[] = [];
  constructor(known: KnownNames, tokens: TokenCursor) {
    this.#known = known;
    this.#tokens = tokens;
  }

  use(kind: "filter" | "test", name: string, line: number): void {
    if (!this.#known[`${kind}s`].has(name)) this.#unknown.push({ problem: `No ${kind} named '${name}'.`, line });
  }

  /** A place to which `conditional` may reach back. */
  mark(): number {
    return this.#unknown.length;
  }

  /** Parses something conditional, in which names may be unknown. */
  conditional<T>(parse: () => T, from = this.mark()): T {
    const parsed = parse();
    this.#unknown.length = from;
    return parsed;
  }

  /** Parses a body with a scope of its own, in which names must be known even if a condition is around it. */
  unconditional<T>(parse: () => T): T {
    const outer = this.#unknown;
    this.#unknown = [];
    const parsed = parse();
    this.check();
    this.#unknown = outer;
    return parsed;
  }

  /** @throws LineError for an unknown filter or test */
  check(): void {
    const [unknown] = this.#unknown;
    if (unknown !== undefined) this.#tokens.fail(unknown.problem, unknown.line);
  }
}
