import { OllamaError } from "../ollama-error.ts";

/** A keyword of a schema that no grammar here can guarantee: refused by name, never silently left out. */
export const unenforceable = (keyword: string, path: string, why?: string) =>
  new OllamaError(
    400,
    `invalid format: the schema keyword ${JSON.stringify(keyword)} at ${path} cannot be enforced${why === undefined ? "" : `: ${why}`}`,
  );
