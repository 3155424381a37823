/** `hearth.config.json`: what it says, and how it is written. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

export const configFileName = "hearth.config.json";

/** Node quotes the text around a fault, and that may be a key. @throws SyntaxError that does without */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [reported = ""] = (error as Error).message.split(/, (?:\.{3})?"/, 1);
    // eslint-disable-next-line preserve-caught-error -- it is what must not be told
    throw new SyntaxError(`it is no valid JSON: ${reported}`);
  }
}

/** What a file says; nothing when it is not there. @throws Error that says what is wrong with it */
export function readConfigFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const values: unknown = parse(readFileSync(file, "utf8"));
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new Error("must hold one JSON object");
  return values as Record<string, unknown>;
}

/** Written whole or not at all, and for its owner alone: it may hold keys. */
export function writeConfigFile(file: string, values: Readonly<Record<string, unknown>>): void {
  const draft = `${file}.${String(process.pid)}.part`;
  try {
    writeFileSync(draft, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
