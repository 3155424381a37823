import { inEnglish } from "../../../contract/messages/in-english.ts";
import type { Text } from "../../../contract/messages/message.ts";

/**
 * An invalid schema, or one for which no valid item could be generated. `path` leads to the problem, as far as it is
 * known. In a file of its own, so that catching it does not load the compiler.
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly text: Text;
  readonly path: readonly string[];
  constructor(text: Text, path: readonly string[]) {
    super(inEnglish(text));
    this.text = text;
    this.path = path;
  }
}
