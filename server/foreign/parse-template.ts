/** Parses chat templates, of Go or of Jinja. */
import { isGoTemplate } from "./go-template/is-go-template.ts";
import { parseOllamaTemplate, renderOllamaTemplate } from "./go-template/ollama-template.ts";
import { parseTemplate as parseJinja, renderTemplate as renderJinja } from "./jinja/template.ts";
import { TooLargeError } from "./too-large-error.ts";

/** `render` limits its text, and those on the way to it, to `mostCharacters`. */
export interface ParsedTemplate {
  render(variables: Readonly<Record<string, unknown>>, mostCharacters: number): string;
}

/** The longest template in characters (our choice: templates of models have some ten thousand). */
const longestTemplate = 1024 * 1024;

/** @throws TooLargeError; the parser's error for a text that is no template */
export function parseChatTemplate(text: string): ParsedTemplate {
  if (text.length > longestTemplate) throw new TooLargeError(`it has more than ${String(longestTemplate)} characters`);
  if (isGoTemplate(text)) {
    const template = parseOllamaTemplate(text);
    return { render: (variables, most) => renderOllamaTemplate(template, variables, most) };
  }
  const template = parseJinja(text);
  return { render: (variables, most) => renderJinja(template, variables, most) };
}
