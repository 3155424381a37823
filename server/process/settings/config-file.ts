/** Reads and writes `hearth.config.json`. */
import { existsSync, readFileSync } from "node:fs";
import { replaceFileSync } from "../../file-system/replace-file.ts";

export const configFileName = "hearth.config.json";

/** Node's message quotes the text around an error, which may be a key. @throws SyntaxError without the quote */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(/, (?:\.{3})?"/, 1);
    throw new SyntaxError(`it is no valid JSON: ${reason}`);
  }
}

/** The content of a file; empty if it does not exist. @throws Error that describes its problem */
export function readConfigFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  // Some editors begin a text with a byte order mark.
  const values: unknown = parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new Error("must hold one JSON object");
  return values as Record<string, unknown>;
}

/** Writes the file atomically, private to its owner: it may hold keys. */
export const writeConfigFile = (file: string, values: Readonly<Record<string, unknown>>): void =>
  replaceFileSync(file, `${JSON.stringify(values, null, 2)}\n`);
