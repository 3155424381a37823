/** Reads and writes `hearth.config.json`. */
import { decodeText } from "../../file-system/decode-text.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";
import { readSmallFile } from "../../file-system/small-file.ts";

export const configFileName = "hearth.config.json";

/** Longer than any file that Hearth writes. */
const longest = 1024 * 1024;
/** No setting has nested lists. Recursion into a deeper value would overflow the stack. */
const deepest = 8;

const isDeeper = (value: unknown, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((inner) => isDeeper(inner, left - 1)));

/** Node's message quotes the text around an error, which may be a key. @throws SyntaxError without the quote */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(/, (?:\.{3})?"/, 1);
    throw new SyntaxError(`it is not valid JSON: ${reason}`);
  }
}

/** The content of a file; empty if it does not exist. @throws Error that describes its problem */
export function readConfigFile(file: string): Record<string, unknown> {
  const bytes = readSmallFile(file, longest);
  if (bytes === undefined) return {};
  const values: unknown = parse(decodeText(bytes));
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new Error("must contain one JSON object");
  if (isDeeper(values, deepest)) throw new Error("its lists or objects are nested too deeply");
  return values as Record<string, unknown>;
}

/** Writes the file atomically, private to its owner: it may hold keys. */
export const writeConfigFile = (file: string, values: Readonly<Record<string, unknown>>): void =>
  replaceFileSync(file, `${JSON.stringify(values, null, 2)}\n`);
