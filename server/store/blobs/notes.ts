/**
 * Small files in the data directory's folder of uploads, wherever the contents lie. They note which contents are not
 * settled, and which bucket holds them.
 */
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkedAddress, isAddress } from "./blob-store.ts";
import { ifMissing, isMissing } from "../../file-system/is-missing.ts";

/** The names in a folder that only Hearth fills; none for a missing folder or a link. */
export async function ownNamesIn(folder: string): Promise<string[]> {
  const found = await lstat(folder).catch(ifMissing(undefined));
  return found?.isDirectory() === true ? readdir(folder) : [];
}

const intentsIn = (folder: string) => join(folder, "intents");

/** The addresses of contents that were stored and not settled. */
export const unsettledIn = async (folder: string): Promise<string[]> =>
  (await ownNamesIn(intentsIn(folder))).filter(isAddress);

/** Notes that a content is about to be stored; a file of its name stands for it. */
export async function noteIntent(folder: string, sha256: string): Promise<void> {
  const file = join(intentsIn(folder), checkedAddress(sha256));
  await writeFile(file, "").catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "");
  });
}

export const removeIntent = (folder: string, sha256: string): Promise<void> =>
  rm(join(intentsIn(folder), checkedAddress(sha256)), { force: true });

const placeFile = (folder: string) => join(folder, "bucket.txt");

/** Notes the bucket of the contents for programs that see only the data directory, such as backups. */
export async function noteBucket(folder: string, place: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(placeFile(folder), `${place}\n`);
}

export const forgetBucket = (folder: string): Promise<void> => rm(placeFile(folder), { force: true });

/** The bucket that holds the contents, as `s3://bucket/prefix`; undefined if this folder holds them. */
export async function notedBucket(folder: string): Promise<string | undefined> {
  return (await readFile(placeFile(folder), "utf8").catch(ifMissing(undefined)))?.trim();
}
