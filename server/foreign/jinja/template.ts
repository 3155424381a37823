/** Chat templates: Jinja2 as Python has it, with the settings and additions of Hugging Face's `apply_chat_template`. */
import { mostItems, tooManyItems } from "../too-large-error.ts";
import { knownNames } from "./evaluator.ts";
import { globals } from "./globals.ts";
import { Interpreter } from "./interpreter.ts";
import { LineError } from "./line-error.ts";
import { Scope } from "./scope.ts";
import type { Template } from "./syntax/syntax-tree.ts";
import { parseTemplateText } from "./syntax/template-parser.ts";
import { PythonError } from "./values/python-error.ts";
import { Dict, type Value } from "./values/value.ts";

/** @throws TooLargeError; LineError for a text that is no template */
export const parseTemplate = (text: string): Template => parseTemplateText(text, knownNames);

/** From here on JSON writes a number like a float. */
const firstFloat = 1e21;

/** The value of something that was JSON. */
function fromJson(json: unknown): Value {
  if (typeof json === "number") return Number.isInteger(json) && Math.abs(json) < firstFloat ? BigInt(json) : json;
  if (Array.isArray(json)) {
    if (json.length > mostItems) throw tooManyItems();
    return json.map(fromJson);
  }
  if (typeof json !== "object" || json === null) return json as string | boolean | null;
  return new Dict(Object.entries(json).map(([key, value]) => [key, fromJson(value)] as const));
}

/**
 * The rendered text. Intermediate texts are limited to `mostCharacters` as well.
 * @throws TooLargeError; RefusalError; LineError for what Jinja2 refuses, too
 */
export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  mostCharacters: number,
): string {
  const scope = new Scope();
  for (const [name, value] of globals) scope.set(name, value);
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) scope.set(name, fromJson(value));
  const interpreter = new Interpreter(scope, template.blocks, mostCharacters);
  try {
    return interpreter.render(template.body, scope);
  } catch (error) {
    if (error instanceof PythonError) throw new LineError(interpreter.line, error.message, error);
    throw error;
  }
}
