import { isGoTemplate, jinjaForGo } from "./go-template.ts";
import { OllamaError } from "../../ollama-error.ts";

/** A request's template in Jinja. @throws OllamaError 400 for a Go template that has none */
export function templateOfRequest(template: string): string {
  const jinja = isGoTemplate(template) ? jinjaForGo(template) : template;
  if (jinja !== undefined) return jinja;
  throw new OllamaError(
    400,
    "template error: this is a Go template, and this server runs Jinja: write it in Jinja, or leave it out to use the one of the GGUF file",
  );
}
