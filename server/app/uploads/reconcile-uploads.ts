import type { Kysely } from "kysely";
import type { BlobStore } from "../../store/blob-store.ts";
import type { UploadsTables } from "./uploads-table.ts";

/**
 * Makes rows and files agree after a crash, before anything is served: content that no row names is removed, and so are
 * rows without content.
 * @returns how many of each
 */
export async function reconcileUploads(
  db: Kysely<UploadsTables>,
  blobs: BlobStore,
): Promise<{ files: number; rows: number }> {
  const stored = new Set(await blobs.list());
  const rows = await db.selectFrom("uploads").select(["id", "sha256"]).execute();
  const named = new Set(rows.map(({ sha256 }) => sha256));
  const orphans = [...stored].filter((sha256) => !named.has(sha256));
  for (const sha256 of orphans) await blobs.remove(sha256);
  const lost = rows.filter(({ sha256 }) => !stored.has(sha256));
  for (const { id } of lost) await db.deleteFrom("uploads").where("id", "=", id).execute();
  return { files: orphans.length, rows: lost.length };
}
