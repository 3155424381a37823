import { message, type Text } from "../../contract/messages/message.ts";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { checkFile, readBounded, type Bounds } from "../../file-system/bounded-file.ts";
import { decodeText, NotTextError } from "../../file-system/decode-text.ts";
import { FileProblem } from "./json-source.ts";
import { isMissing } from "../../file-system/is-missing.ts";

const maxFileBytes = 1024 * 1024;
const pollIntervalMs = 60;
const maxPolls = 20;

/** The text of a file, or why the file cannot be read. */
export type SettledText = string | FileProblem;

export const isSameText = (one: SettledText | undefined, other: SettledText | undefined): boolean =>
  one === other || (one instanceof FileProblem && other instanceof FileProblem && one.message === other.message);

/**
 * Reads a file that may be half written: while it is invalid JSON, it is read again until it stops changing. Undefined
 * when there is no such file, or a folder of that name.
 */
export async function readSettled(file: string, bounds?: Bounds): Promise<SettledText | undefined> {
  let text = await readText(file, bounds);
  for (let reads = 0; reads < maxPolls && text !== undefined && !isJson(text); reads++) {
    await wait(pollIntervalMs);
    const again = await readText(file, bounds);
    if (isSameText(again, text)) return text;
    text = again;
  }
  return text;
}

const unreadable = (why: Text) => new FileProblem(why, { line: 1, column: 1 });

async function readText(file: string, bounds: Bounds): Promise<SettledText | undefined> {
  try {
    await checkFile(file, bounds);
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    if (found.size > maxFileBytes) return unreadable(message("source.large", { bytes: maxFileBytes }));
    return decodeText(await readBounded(file, bounds));
  } catch (error) {
    if (isMissing(error)) return undefined;
    return unreadable(error instanceof NotTextError ? message("source.notText") : (error as Error).message);
  }
}

function isJson(text: SettledText): boolean {
  if (text instanceof FileProblem) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
