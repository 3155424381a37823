/** Renders Jinja within size limits: each value is checked when it is created. */
import { Template } from "@huggingface/jinja";
import { JinjaInterpreter } from "./jinja-interpreter.ts";
import { newScope } from "./jinja-values.ts";
import { mostItems, TooLargeError, tooManyCharacters, tooManyItems } from "./too-large-error.ts";

/** The template's own refusal. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
}

/** The longest template in characters (our choice: templates of models have some ten thousand). */
const longestTemplate = 1024 * 1024;
/** @throws TooLargeError; the parser's error for a text that is no template */
export function parseTemplate(text: string): Template {
  if (text.length > longestTemplate) throw new TooLargeError(`it has more than ${String(longestTemplate)} characters`);
  return new Template(text.replace(/\r\n?/g, "\n"));
}

class BoundedInterpreter extends JinjaInterpreter {
  override evaluate(...asked: Parameters<JinjaInterpreter["evaluate"]>): ReturnType<JinjaInterpreter["evaluate"]> {
    const value = super.evaluate(...asked);
    const held = value.value;
    if (typeof held === "string" && held.length > this.mostCharacters) throw tooManyCharacters(this.mostCharacters);
    if (Array.isArray(held) && held.length > mostItems) throw tooManyItems();
    return value;
  }
}

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
    throw new RefusalError(message);
  },
};

/**
 * The rendered text. Intermediate texts are limited to `mostCharacters` as well.
 * @throws TooLargeError; RefusalError; the library's errors for what it cannot run
 */
export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  mostCharacters: number,
): string {
  const scope = newScope();
  for (const [name, value] of Object.entries({ ...globals, ...variables })) scope.set(name, value);
  return String(new BoundedInterpreter(scope, mostCharacters).run(template.parsed).value);
}
