/** Jinja that makes nothing larger than it may: each value is looked at when it comes into being. */
import { Environment, Interpreter, Template } from "@huggingface/jinja";

/** Something grows beyond what it may. The message says what. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The longest template (our choice: those of models have some ten thousand characters). */
const longestTemplate = 1024 * 1024;
/** The longest list. */
const mostItems = 1_000_000;

/** @throws TooLargeError; what the parser says of a text that is no template */
export function parseTemplate(text: string): Template {
  if (text.length > longestTemplate) throw new TooLargeError(`it has more than ${String(longestTemplate)} characters`);
  return new Template(text);
}

/** What is used of the library's interpreter and its variables, whose own types do not resolve. */
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

/** The library has the function, but hands it to templates only. */
const clock = new Template("{{ strftime_now(format) }}");

/** What every template knows, as the library's own `render` has it. */
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
 * The template's text. No text that it makes on the way has more than `mostCharacters` either.
 * @throws TooLargeError; what the template itself raises
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
