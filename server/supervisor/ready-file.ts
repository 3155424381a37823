/** The files that tell other programs where a run answers. One may lie among a user's files: only what Hearth wrote is touched. */
import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ReadyFileContent {
  app: string;
  provider: string;
  /** An external Ollama's address when that is used; null while the model service is down. */
  model: string | null;
  /** With the run's token. */
  console: string;
  pid: number;
}

/** By this one, which is there for as long as the run is, the commands of the same user may drive it. */
export const runFileIn = (dataDir: string) => join(dataDir, "run.json");

/** @throws Error when the file cannot be read */
export const readReadyFile = (file: string) => JSON.parse(readFileSync(file, "utf8")) as ReadyFileContent;

/** What a user put there stays. */
export class ForeignFileError extends Error {
  override readonly name = "ForeignFileError";
  constructor(file: string) {
    super(`${file} is there already and was not written by Hearth`);
  }
}

/** Longer than any that Hearth writes. */
const maxBytes = 16_384;

/** What a file says that Hearth has written; empty of an empty one, which others make to have a name. @throws ForeignFileError */
function readOwn(file: string): Partial<ReadyFileContent> | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > maxBytes) throw new ForeignFileError(file);
  const text = readFileSync(file, "utf8").trim();
  if (text === "") return {};
  try {
    const content = JSON.parse(text) as Partial<ReadyFileContent>;
    if (typeof content.pid === "number" && typeof content.app === "string" && typeof content.console === "string")
      return content;
  } catch {
    // Not even JSON.
  }
  throw new ForeignFileError(file);
}

/** Removes what a run before has left, where there is something. @throws ForeignFileError */
export function removeLeftReadyFile(file: string): void {
  if (readOwn(file) !== undefined) rmSync(file, { force: true });
}

/** Removes the file of the run of this process; what has come into its place stays. */
export function removeOwnReadyFile(file: string, pid: number): void {
  try {
    if (readOwn(file)?.pid === pid) rmSync(file, { force: true });
  } catch {
    // Somebody else's by now, or gone with its folder.
  }
}

/**
 * Written whole or not at all: a reader never sees half of it. Only its owner may read the token in it.
 * @throws ForeignFileError
 */
export function writeReadyFile(file: string, content: ReadyFileContent): void {
  readOwn(file);
  const draft = join(dirname(file), `.${randomBytes(8).toString("hex")}.ready`);
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
