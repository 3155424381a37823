/**
 * The keys of a data directory: `keys.json` in it, private to its owner. Every process reads it itself, so that a
 * change counts at once in all of them.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  keyPrefix,
  keySchema,
  storedKeySchema,
  withMade,
  type AccessKey,
  type NewKey,
  type StoredKey,
} from "../../contract/process/access-keys.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";
import { lockFileSoon } from "../file-lock.ts";
import { isMissing } from "../../file-system/is-missing.ts";

const fileIn = (dataDir: string) => join(dataDir, "keys.json");
const contentSchema = z.object({ keys: z.array(storedKeySchema) });

/** The file cannot be read or changed; the message names it. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** The key that requested another one was removed meanwhile. */
export class MakerGoneError extends Error {
  override readonly name = "MakerGoneError";
}

/** @throws KeyFileError */
function read(file: string): readonly StoredKey[] {
  try {
    return contentSchema.parse(JSON.parse(readFileSync(file, "utf8"))).keys;
  } catch (error) {
    if (isMissing(error)) return [];
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? ": restore it, or remove it with all keys" : ` (${code})`;
    throw new KeyFileError(`${file} cannot be read${reason}`, { cause: error });
  }
}

/**
 * Reads the keys as they are now. An unchanged file is not read again: each change is a new file.
 * @throws KeyFileError when it cannot be read
 */
export function createKeyReader(dataDir: string): () => readonly StoredKey[] {
  const file = fileIn(dataDir);
  let known: { readonly ino: number; readonly mtimeMs: number; readonly keys: readonly StoredKey[] } | undefined;
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return [];
    const { ino, mtimeMs } = found;
    if (known?.ino !== ino || known.mtimeMs !== mtimeMs) known = { ino, mtimeMs, keys: read(file) };
    return known.keys;
  };
}

/** Opens the file for changes, which several processes may make at the same time. */
export function openKeyFile(dataDir: string) {
  const file = fileIn(dataDir);

  async function change(work: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void> {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockFileSoon(join(dataDir, "keys.lock"));
    if (lock === "held") throw new KeyFileError(`another process is changing ${file}: try again`);
    try {
      replaceFileSync(file, `${JSON.stringify({ keys: work(read(file)) }, null, 2)}\n`);
    } finally {
      if (lock !== "none") lock.release();
    }
  }

  return {
    /** All keys, the oldest first. */
    list: (): readonly AccessKey[] => read(file).map((stored) => keySchema.parse(stored)),
    /**
     * Makes a key. `secret` is the key itself, which is stored nowhere. `maker`: the id of the key that requests it.
     * @throws MakerGoneError
     */
    async add(wanted: NewKey, maker?: string): Promise<{ readonly key: AccessKey; readonly secret: string }> {
      const secret = `${keyPrefix}${randomBytes(32).toString("base64url")}`;
      const key: AccessKey = {
        ...wanted,
        id: randomBytes(4).toString("hex"),
        created_at: new Date().toISOString(),
        ...(maker !== undefined && { made_by: maker }),
      };
      await change((keys) => {
        if (maker !== undefined && !keys.some(({ id }) => id === maker)) throw new MakerGoneError();
        return [...keys, { ...key, sha256: createHash("sha256").update(secret).digest("hex") }];
      });
      return { key, secret };
    },
    /** Removes a key and all that were made with it. @returns the removed keys */
    async remove(id: string): Promise<readonly AccessKey[]> {
      let removed: readonly StoredKey[] = [];
      await change((keys) => {
        removed = withMade(id, keys);
        return keys.filter((key) => !removed.includes(key));
      });
      return removed;
    },
  };
}
export type KeyFile = ReturnType<typeof openKeyFile>;
