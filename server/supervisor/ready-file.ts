/**
 * The files with the addresses of a run, for other programs. One may lie among a user's files, so only Hearth's own are
 * changed.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renameFileSync } from "../file-system/rename-file.ts";

export interface ReadyFileContent {
  app: string;
  provider: string;
  /** The address of an external Ollama if one is used; null while the model service is down. */
  model: string | null;
  /** Includes the run's token. */
  console: string;
  pid: number;
}

/** This file exists for as long as the run does. Commands of the same user control the run through it. */
export const runFileIn = (dataDir: string) => join(dataDir, "run.json");

function isReadyFile(content: unknown): content is ReadyFileContent {
  const { pid, app, provider, console } = (content ?? {}) as Partial<Record<string, unknown>>;
  return typeof pid === "number" && [app, provider, console].every((address) => typeof address === "string");
}

/** @throws Error when the file cannot be read, or is another */
export function readReadyFile(file: string): ReadyFileContent {
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (isReadyFile(content)) return content;
  throw new Error("a run writes pid, app, provider and console");
}

/** The file was not written by Hearth. It is kept. */
export class ForeignFileError extends Error {
  override readonly name = "ForeignFileError";
  constructor(file: string) {
    super(`${file} already exists and was not written by Hearth`);
  }
}

/** Longer than any ready file. */
const maxBytes = 16_384;

/**
 * Reads a file that Hearth wrote. An empty file, which other programs create to reserve a name, yields an empty object.
 * @throws ForeignFileError
 */
function readOwn(file: string): Partial<ReadyFileContent> | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > maxBytes) throw new ForeignFileError(file);
  const text = readFileSync(file, "utf8").trim();
  if (text === "") return {};
  try {
    const content: unknown = JSON.parse(text);
    if (isReadyFile(content)) return content;
  } catch {
    // Not JSON either.
  }
  throw new ForeignFileError(file);
}

/** Removes the file of an earlier run, if any. @throws ForeignFileError */
export function removeLeftReadyFile(file: string): void {
  if (readOwn(file) !== undefined) rmSync(file, { force: true });
}

/** Removes the file of this process's run. A file that has replaced it stays. */
export function removeOwnReadyFile(file: string, pid: number): void {
  try {
    if (readOwn(file)?.pid === pid) rmSync(file, { force: true });
  } catch {
    // Another run has replaced the file, or its folder was deleted.
  }
}

/**
 * Writes the file atomically: a reader never sees a part of it. Only the owner may read the token in it.
 * @throws ForeignFileError
 */
export function writeReadyFile(file: string, content: ReadyFileContent): void {
  readOwn(file);
  const draft = join(dirname(file), `.${randomBytes(8).toString("hex")}.ready`);
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" });
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
