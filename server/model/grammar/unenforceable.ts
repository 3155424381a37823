import { OllamaError } from "../ollama-error.ts";

/** The end of a path says where it leads. */
const longestPath = 200;
const view = (path: string) => (path.length > longestPath ? `#/…${path.slice(-longestPath)}` : path);

/** A keyword of a schema that no grammar here can guarantee: refused by name, never silently left out. */
export const unenforceable = (keyword: string, path: string, why?: string) =>
  new OllamaError(
    400,
    `invalid format: the schema keyword ${JSON.stringify(keyword)} at ${view(path)} cannot be enforced${why === undefined ? "" : `: ${why}`}`,
  );
