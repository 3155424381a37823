import { readFile, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { FileFault } from "./json-source.ts";

const maxFileBytes = 1024 * 1024;
/** Stands for the text of a file that is not read. */
const tooLarge = "too large";

/** @throws FileFault for the text of a file that was not read because of its size */
export function refuseTooLarge(text: string): void {
  if (text === tooLarge)
    throw new FileFault(`the file is larger than ${String(maxFileBytes)} bytes`, { line: 1, column: 1 });
}

const betweenLooksMs = 60;
const looksAtMost = 20;

/**
 * The text of a file that may be in the middle of being written: while it is no JSON, it is read again until it stays as it
 * is. Undefined when there is no such file, or a folder of that name.
 */
export async function readSettled(file: string): Promise<string | undefined> {
  let text = await readText(file);
  for (let looks = 0; looks < looksAtMost && text !== undefined && !isJson(text); looks++) {
    await wait(betweenLooksMs);
    const again = await readText(file);
    if (again === text) return text;
    text = again;
  }
  return text;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    return found.size > maxFileBytes ? tooLarge : await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
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
