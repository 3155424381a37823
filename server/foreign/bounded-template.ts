/** Renders Jinja within size limits: each value is checked when it is created. */
import { Environment, Interpreter, Template } from "@huggingface/jinja";

/** Something exceeds its size limit. The message names it. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The longest template in characters (our choice: templates of models have some ten thousand). */
const longestTemplate = 1024 * 1024;
/** The maximum number of items in a list. */
const mostItems = 1_000_000;

/** @throws TooLargeError; the parser's error for a text that is no template */
export function parseTemplate(text: string): Template {
  if (text.length > longestTemplate) throw new TooLargeError(`it has more than ${String(longestTemplate)} characters`);
  return new Template(text);
}

/** The parts of the library's interpreter and variables that are used here; the library's own types do not resolve. */
type LibraryEnvironment = new () => { set(name: string, value: unknown): void };
type LibraryInterpreter = new (environment: unknown) => {
  evaluate(statement: unknown, environment: unknown): { readonly value: unknown };
  run(program: unknown): { readonly value: unknown };
};

class BoundedInterpreter extends (Interpreter as LibraryInterpreter) {
  readonly #mostCharacters: number;
  constructor(environment: unknown, mostCharacters: number) {
    super(environment);
    this.#mostCharacters = mostCharacters;
  }
  override evaluate(statement: unknown, environment: unknown): { readonly value: unknown } {
    const value = super.evaluate(statement, environment);
    const held = value.value;
    if (typeof held === "string" && held.length > this.#mostCharacters)
      throw new TooLargeError(`it makes a text of more than ${String(this.#mostCharacters)} characters`);
    if (Array.isArray(held) && held.length > mostItems) throw tooManyItems();
    return value;
  }
}

const tooManyItems = () => new TooLargeError(`it makes a list of more than ${String(mostItems)} items`);

function range(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  if (step === 0) throw new Error("range() step must not be zero");
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (length > mostItems) throw tooManyItems();
  return Array.from({ length }, (_, index) => from + index * step);
}

/** The library has this function but exposes it only to templates. */
const clock = new Template("{{ strftime_now(format) }}");

/** The variables of every template, as in the library's own `render`. */
const globals: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range,
  strftime_now: (format: string) => clock.render({ format }),
  raise_exception(message: string): never {
    throw new Error(message);
  },
};

/**
 * The rendered text. Intermediate texts are limited to `mostCharacters` as well.
 * @throws TooLargeError; errors that the template itself raises
 */
export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  mostCharacters: number,
): string {
  const environment = new (Environment as LibraryEnvironment)();
  for (const [name, value] of Object.entries({ ...globals, ...variables })) environment.set(name, value);
  return String(new BoundedInterpreter(environment, mostCharacters).run(template.parsed).value);
}
