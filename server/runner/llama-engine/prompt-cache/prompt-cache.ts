/** The states of recent prompts, kept on the disk for models that are loaded again. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { engineVersion } from "../../../contract/model/gpu-engine.ts";
import { readSmallFile, statIfThere } from "../../../file-system/small-file.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { fileNamesIn } from "../../../file-system/file-names.ts";
import { enoughBytes, roomIn } from "../../../process/disk-room.ts";
import type { Log } from "../../../process/log.ts";
import {
  keptPromptsFolder,
  listKeptFiles,
  promptCacheRoot,
  removePromptCache,
  stateEnd,
} from "../../../process/prompt-cache-files.ts";
import type { Seal } from "./state-file.ts";

export interface PromptCacheOptions {
  readonly dataDir: string;
  /** Bytes of all states; 0 keeps none. */
  readonly mostBytes: number;
  readonly log: Pick<Log, "warn">;
  /** Bytes that are free for a folder. */
  readonly freeBytes?: (folder: string) => number;
}

/** The model whose states are kept, and what their content depends on. */
export interface KeptModel {
  /** Identifies the content of the file. */
  readonly weights: string;
  readonly path: string;
  /** The settings of the context. */
  readonly settings: readonly unknown[];
}

/** Where the states of a loaded model are kept, and how they are authenticated. */
export interface KeptPlace {
  readonly folder: string;
  /** The beginning of the names of its states. */
  readonly prefix: string;
  readonly seal: Seal;
}

/** States of another format or engine have other names, and are deleted at the start. */
const version = `1-${engineVersion}`;
const stateName = /^([\d.-]+)-[\da-f]{16}-[\da-f]{16}[.]state$/;
const keyName = "key";
const keyBytes = 32;
/** The file of weights that a folder belongs to: its path, its size and its time. */
const noteName = "weights.json";

const digestOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest();

/** @throws the system's error where the file is not there */
function noteOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return JSON.stringify({ path, size, mtimeMs });
}

/** True while the file of weights is as it was when the note was written. */
function isCurrent(note: string | undefined): boolean {
  try {
    return note !== undefined && note === noteOf(String((JSON.parse(note) as { path?: unknown }).path));
  } catch {
    return false;
  }
}

const readNote = (folder: string) => readSmallFile(join(folder, noteName), 65_536)?.toString("utf8");

/**
 * States are deleted at the start when they are unfinished, of another engine, or of a model whose file is gone or has changed.
 * A folder that another process deletes while its model is loaded is not made again for that load: a deleted model and a reset
 * leave nothing behind.
 */
export class PromptCache {
  readonly #options: PromptCacheOptions;
  readonly #root: string;
  /** Writes and deletions of states, one after another. */
  readonly inTurn = createTurns();

  constructor(options: PromptCacheOptions) {
    this.#options = options;
    this.#root = promptCacheRoot(options.dataDir);
    try {
      // Without the key, no state can be used.
      if (options.mostBytes === 0 || this.#key() === undefined) removePromptCache(options.dataDir);
      else this.#sweep();
    } catch (error) {
      this.warn("old prompt states cannot be deleted", error);
    }
  }

  warn(message: string, error: unknown): void {
    this.#options.log.warn({ err: error }, message);
  }

  /** The place of a model's states. Undefined where none are kept. */
  placeOf({ weights, path, settings }: KeptModel): KeptPlace | undefined {
    if (this.#options.mostBytes === 0) return undefined;
    try {
      const folder = keptPromptsFolder(this.#root, weights);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const key = this.#key() ?? this.#makeKey();
      const note = noteOf(path);
      writeFileSync(join(folder, noteName), note, { mode: 0o600 });
      const identity = digestOf([version, weights, note, ...settings]);
      return { folder, prefix: `${version}-${identity.toString("hex", 0, 8)}-`, seal: { key, identity } };
    } catch (error) {
      this.warn("prompt states are not stored", error);
      return undefined;
    }
  }

  /** False where the states of the model were deleted since it was loaded. */
  isKept({ folder, seal }: KeptPlace): boolean {
    return statIfThere(join(folder, noteName)) !== undefined && this.#key()?.equals(seal.key) === true;
  }

  /**
   * Deletes the least recently used states until there is room for so many bytes more. Returns false where there is none:
   * for a state that is too large, one that was used before all others, or on a disk that is nearly full.
   * @param replaced paths of states that the new one replaces
   */
  async makeRoom(bytes: number, usedAt: number, replaced: ReadonlySet<string>): Promise<boolean> {
    const all = listKeptFiles(this.#root).sort((a, b) => a.usedAt - b.usedAt);
    const files = all.filter(({ path }) => !replaced.has(path));
    const older = files.filter((file) => file.usedAt < usedAt);
    let excess = files.reduce((sum, file) => sum + file.bytes, bytes) - this.#options.mostBytes;
    if (excess > older.reduce((sum, file) => sum + file.bytes, 0)) return false;
    for (const file of older) {
      if (excess <= 0) break;
      await rm(file.path, { force: true });
      excess -= file.bytes;
    }
    const { freeBytes = (folder: string) => roomIn(folder).bytes } = this.#options;
    return freeBytes(this.#root) - bytes >= enoughBytes;
  }

  /** The key of this installation; undefined where there is none that can be used. */
  #key(): Buffer | undefined {
    try {
      const key = readSmallFile(join(this.#root, keyName), keyBytes);
      return key?.length === keyBytes ? key : undefined;
    } catch {
      return undefined;
    }
  }

  #makeKey(): Buffer {
    const key = randomBytes(keyBytes);
    writeFileSync(join(this.#root, keyName), key, { mode: 0o600 });
    return key;
  }

  #sweep(): void {
    for (const name of fileNamesIn(this.#root).filter((one) => one !== keyName)) {
      const folder = join(this.#root, name);
      const foreign = fileNamesIn(folder).filter((file) => file !== noteName && stateName.exec(file)?.[1] !== version);
      for (const file of foreign) rmSync(join(folder, file), { recursive: true, force: true });
      const isEmpty = !fileNamesIn(folder).some((file) => file.endsWith(stateEnd));
      if (isEmpty || !isCurrent(readNote(folder))) rmSync(folder, { recursive: true, force: true });
    }
  }
}
