import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { BlobStore } from "../../store/blob-store.ts";
import type { UploadsTables } from "./uploads-table.ts";

/** What became of contents and rows that did not belong together. */
export interface Reconciled {
  /** Contents of uploads that a crash had cut off before they were answered. */
  readonly removed: number;
  /** Contents that no upload names, for a reason that is not known here: another database, say. */
  readonly setAside: number;
  /** Contents that had been set aside, and that an upload names. */
  readonly takenBack: number;
  /** Uploads whose content is not there. */
  readonly lost: number;
}

/**
 * Makes rows and files agree before anything is served, and deletes only what this server's own crash can have left: the
 * database may be another one than yesterday's, and a folder may come back tomorrow.
 */
export async function reconcileUploads(db: Kysely<UploadsTables>, blobs: BlobStore): Promise<Reconciled> {
  const rows = await db.selectFrom("uploads").select("sha256").distinct().execute();
  const named = new Set(rows.map(({ sha256 }) => sha256));
  const unsettled = await blobs.unsettled();
  const cutOff = unsettled.filter((sha256) => !named.has(sha256));
  for (const sha256 of cutOff) await blobs.remove(sha256);
  for (const sha256 of unsettled) await blobs.settle(sha256);

  const stored = new Set(await blobs.list());
  const unnamed = [...stored].filter((sha256) => !named.has(sha256));
  for (const sha256 of unnamed) await blobs.setAside(sha256);

  let takenBack = 0;
  let lost = 0;
  for (const sha256 of named)
    if (!stored.has(sha256)) {
      if (await blobs.takeBack(sha256)) takenBack++;
      else lost++;
    }
  return { removed: cutOff.length, setAside: unnamed.length, takenBack, lost };
}

export function tellReconciled({ removed, setAside, takenBack, lost }: Reconciled, log: Logger): void {
  if (removed > 0) log.warn({ removed }, "uploads that a crash had cut off were removed: none had been answered");
  if (setAside > 0)
    log.warn({ setAside }, "contents that no upload of this database names were moved to uploads/orphans, not deleted");
  if (takenBack > 0) log.warn({ takenBack }, "contents of uploads were taken back from uploads/orphans");
  if (lost > 0)
    log.error(
      { lost },
      "contents of uploads are not there: put the folder uploads back, or upload them again; they answer 404, content_lost",
    );
}
