import { message, type Text } from "../../contract/messages/message.ts";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { checkFile, readBounded, type Bounds } from "../../file-system/bounded-file.ts";
import { FileProblem } from "./json-source.ts";
import { isMissing } from "../../file-system/is-missing.ts";

const maxFileBytes = 1024 * 1024;
const pollIntervalMs = 60;
const maxPolls = 20;

/** Marks an unreadable file, followed by the reason as JSON. No text of a file starts with it. */
const unread = (why: Text) => `\0${JSON.stringify(why)}`;

/** @throws FileProblem for the mark of an unreadable file */
export function refuseUnread(text: string): void {
  if (text.startsWith("\0")) throw new FileProblem(JSON.parse(text.slice(1)) as Text, { line: 1, column: 1 });
}

/**
 * The text of a file that may be half written: while it is invalid JSON, it is read again until it stops changing.
 * Undefined when there is no such file, or a folder of that name.
 */
export async function readSettled(file: string, bounds?: Bounds): Promise<string | undefined> {
  let text = await readText(file, bounds);
  for (let reads = 0; reads < maxPolls && text !== undefined && !isJson(text); reads++) {
    await wait(pollIntervalMs);
    const again = await readText(file, bounds);
    if (again === text) return text;
    text = again;
  }
  return text;
}

async function readText(file: string, bounds: Bounds): Promise<string | undefined> {
  try {
    await checkFile(file, bounds);
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    if (found.size > maxFileBytes) return unread(message("source.large", { bytes: maxFileBytes }));
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBounded(file, bounds));
  } catch (error) {
    if (isMissing(error)) return undefined;
    const problem = error as NodeJS.ErrnoException;
    return unread(problem.code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? message("source.notUtf8") : problem.message);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
