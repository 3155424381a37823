import { OllamaError } from "../ollama-error.ts";
import { GrammarLimitError } from "./grammar-size.ts";

/** The end of a path says where it leads. */
const longestPath = 200;
const shortened = (path: string) => (path.length > longestPath ? `#/…${path.slice(-longestPath)}` : path);

const messageOf = (subject: string, keyword: string, path: string, why: string | undefined) =>
  `invalid ${subject}: the schema keyword ${JSON.stringify(keyword)} at ${shortened(path)} cannot be enforced${why === undefined ? "" : `: ${why}`}`;

/** A keyword of a schema cannot be guaranteed: it is refused by name, never silently left out. */
export class UnenforceableError extends OllamaError {
  readonly keyword: string;
  readonly path: string;
  readonly why: string | undefined;
  constructor(keyword: string, path: string, why?: string, subject = "format") {
    super(400, messageOf(subject, keyword, path, why));
    this.keyword = keyword;
    this.path = path;
    this.why = why;
  }
}

export const unenforceable = (keyword: string, path: string, why?: string) =>
  new UnenforceableError(keyword, path, why);

/** No value satisfies a schema. Where it is one of several, the others are left. */
export class NoValueError extends UnenforceableError {}

/** Makes something of a tool, whose name a refusal then has. @throws OllamaError 400 */
export function ofTool<Made>(name: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnenforceableError)) throw error;
    throw new UnenforceableError(error.keyword, error.path, error.why, `tool ${JSON.stringify(name)}`);
  }
}

/** Makes something; what that throws names the keyword. @throws OllamaError 400, GrammarLimitError */
export function enforced<Made>(keyword: string, path: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw error instanceof OllamaError || error instanceof GrammarLimitError
      ? error
      : unenforceable(keyword, path, (error as Error).message);
  }
}
