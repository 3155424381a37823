import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import type { HeldContents } from "./held-contents.ts";
import type { UploadsTables } from "./uploads-table.ts";

/** Counts and contents that were found inconsistent. */
export interface Reconciled {
  /** Removed contents of uploads that a crash interrupted before they were answered. */
  readonly removed: number;
  /** Contents without an upload for an unknown reason, for example another database. */
  readonly setAside: number;
  /** Contents that were set aside although an upload refers to them. They may be damaged. */
  readonly takenBack: readonly string[];
  /** Contents that an upload refers to and that are missing. */
  readonly missing: readonly string[];
}

export const isReferenced = async (db: Kysely<UploadsTables>, sha256: string): Promise<boolean> =>
  (await db.selectFrom("uploads").select("id").where("sha256", "=", sha256).executeTakeFirst()) !== undefined;

/**
 * Makes rows and files agree. It deletes only remains of this server's own crash: the database may not be the one of
 * yesterday, and a missing folder may come back.
 * @param held contents of uploads that run meanwhile; at the start, those of other instances
 * @param onMissing called for each missing content, before an upload can restore it
 */
export async function reconcileUploads(
  db: Kysely<UploadsTables>,
  blobs: BlobStore,
  held: HeldContents,
  onMissing: (sha256: string) => void = () => undefined,
): Promise<Reconciled> {
  await blobs.removeRemains();
  // The rows are read first: a content is stored before its row, so the list has the contents of all rows.
  const rows = await db.selectFrom("uploads").select("sha256").distinct().execute();
  const named = new Set(rows.map(({ sha256 }) => sha256));
  const stored = new Set(await blobs.list());
  const unsettled = new Set(await blobs.unsettled());

  let removed = 0;
  let setAside = 0;
  for (const sha256 of [...new Set([...unsettled, ...stored])].filter((sha256) => !named.has(sha256)))
    await held.runIfFree(sha256, async () => {
      if (await isReferenced(db, sha256)) return; // an upload came meanwhile
      if (unsettled.has(sha256)) {
        await blobs.remove(sha256);
        removed++;
      } else if (await blobs.setAside(sha256)) setAside++;
    });
  for (const sha256 of unsettled) if (named.has(sha256)) await blobs.settle(sha256);

  const takenBack: string[] = [];
  const missing: string[] = [];
  for (const sha256 of [...named].filter((sha256) => !stored.has(sha256)))
    await held.runIfFree(sha256, async () => {
      if (await isThere(blobs, sha256)) return; // an upload came meanwhile
      if (await blobs.takeBack(sha256)) takenBack.push(sha256);
      else {
        missing.push(sha256);
        onMissing(sha256);
      }
    });
  return { removed, setAside, takenBack, missing };
}

export async function isThere(blobs: BlobStore, sha256: string): Promise<boolean> {
  await using content = await blobs.open(sha256);
  return content !== undefined;
}

/** @param place the store's, for people */
export function reportReconciled(
  { removed, setAside, takenBack, missing }: Reconciled,
  place: string,
  log: Logger,
): void {
  if (removed > 0) log.warn({ removed }, "removed uploads that a crash interrupted before their reply");
  if (setAside > 0)
    log.warn({ setAside, place }, "moved contents without an upload in this database to orphans; nothing was deleted");
  if (takenBack.length > 0)
    log.warn({ takenBack: takenBack.length, place }, "restored contents of uploads from orphans");
  if (missing.length > 0)
    log.error(
      { lost: missing.length, place },
      "contents of uploads are missing: put them back, or upload them again; until then they return 404, content_lost",
    );
}
