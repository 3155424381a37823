import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Kysely, Selectable } from "kysely";
import type { Logger } from "pino";
import type { BusMessage } from "../../contract/events.ts";
import type { Upload } from "../../contract/uploads.ts";
import { HttpError } from "../../http/http-error.ts";
import type { BlobStore, OpenBlob } from "../../store/blob-store.ts";
import type { TellingWrites } from "../../store/telling-writes.ts";
import { acceptedExtension, checkedMediaType } from "./file-types.ts";
import { createVerifier } from "./verify-contents.ts";
import type { UploadsTable, UploadsTables } from "./uploads-table.ts";

interface Deps {
  readonly db: Kysely<UploadsTables>;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly writes: TellingWrites;
  readonly now: () => number;
}

/** A file as it came in. `type` is known only once the whole form has been read. */
export interface IncomingFile {
  readonly kind: "upload" | "avatar";
  readonly fileName: string;
  readonly content: Readable;
}
export interface ReceivedFile {
  readonly kind: "upload" | "avatar";
  readonly fileName: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly size: number;
}

/** Uploaded files: content in the blob store, one row each. */
export interface Uploads {
  /**
   * Streams a file to disk. It is an upload only once it is recorded; else it has to be discarded.
   * @throws HttpError 400 when its name or content is not taken; nothing remains then.
   */
  receive(file: IncomingFile): Promise<ReceivedFile>;
  /** Makes a received file an upload of `ownerId`. */
  record(file: ReceivedFile, ownerId: number, type: string): Promise<{ upload: Upload; publicId: string | undefined }>;
  /** Drops a received file that does not become an upload. */
  discard(file: ReceivedFile): Promise<void>;
  /** Removes those contents that no upload names, nor is about to. */
  removeUnnamed(sha256s: readonly string[]): Promise<void>;
  /** Deletes contents that were set aside and that no upload names; answers how many. */
  removeOrphans(): Promise<number>;
  /** Newest first; `ownerId`: only that user's. */
  list(page: UploadPageQuery): Promise<{ uploads: Upload[]; total: number }>;
  find(id: number): Promise<(Upload & { ownerId: number }) | undefined>;
  findAvatar(publicId: string): Promise<Upload | undefined>;
  /** @throws HttpError 404 `content_lost` where it is not there, or not whole */
  content(upload: StoredFile): Promise<OpenBlob>;
}

type StoredFile = Pick<Upload, "id" | "sha256" | "size">;

interface UploadPageQuery {
  readonly before?: number | undefined;
  readonly offset?: number;
  readonly limit: number;
  readonly ownerId?: number;
}

export function createUploads({ db, blobs, writes, log, now }: Deps): Uploads {
  const verifier = createVerifier({ blobs, log });
  /** Contents on their way to a row, counted: they must not be removed as if nobody named them. */
  const held = new Map<string, number>();
  const hold = (sha256: string) => void held.set(sha256, (held.get(sha256) ?? 0) + 1);
  const release = (sha256: string) => {
    const left = (held.get(sha256) ?? 1) - 1;
    if (left === 0) held.delete(sha256);
    else held.set(sha256, left);
  };

  async function isNamed(sha256: string): Promise<boolean> {
    const row = await db.selectFrom("uploads").select("id").where("sha256", "=", sha256).executeTakeFirst();
    return row !== undefined;
  }

  async function removeUnnamed(sha256: string): Promise<void> {
    if (!(await isNamed(sha256)) && !held.has(sha256)) await blobs.remove(sha256);
  }

  return {
    async receive({ kind, fileName, content }) {
      const extension = acceptedExtension(fileName, kind);
      let mediaType = "";
      const stored = await blobs.put(content, async (head, { sha256 }) => {
        mediaType = await checkedMediaType(head, extension, fileName);
        hold(sha256);
      });
      return { kind, fileName, mediaType, ...stored };
    },

    async discard({ sha256 }) {
      release(sha256);
      await removeUnnamed(sha256);
    },

    async removeUnnamed(sha256s) {
      for (const sha256 of new Set(sha256s)) await removeUnnamed(sha256);
    },

    removeOrphans: () => blobs.removeSetAside(isNamed),

    async record({ kind, fileName, mediaType, sha256, size }, ownerId, type) {
      const publicId = kind === "avatar" ? randomUUID() : undefined;
      const insert = db
        .insertInto("uploads")
        .values({
          kind,
          type,
          file_name: fileName,
          media_type: mediaType,
          size,
          sha256,
          owner_id: ownerId,
          public_id: publicId ?? null,
          created_at: now(),
        })
        .returningAll();
      const upload = await writes
        .writeAndTell(() => writes.run(insert).map(toUpload)[0], storedEvent)
        .finally(() => release(sha256));
      if (!upload) throw new Error("an upload has got no id");
      await blobs.settle(sha256);
      return { upload, publicId };
    },

    async list({ before, offset = 0, limit, ownerId }) {
      const chosen = db
        .selectFrom("uploads")
        .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId ?? 0));
      const { total } = await chosen.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await chosen
        .selectAll()
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      return { uploads: rows.map(toUpload), total };
    },

    async find(id) {
      const row = await db.selectFrom("uploads").selectAll().where("id", "=", id).executeTakeFirst();
      return row && { ...toUpload(row), ownerId: row.owner_id };
    },

    async findAvatar(publicId) {
      const row = await db.selectFrom("uploads").selectAll().where("public_id", "=", publicId).executeTakeFirst();
      return row && toUpload(row);
    },

    async content({ id, sha256, size }) {
      const content = await blobs.open(sha256);
      if (!content) throw lost(id, "is not there");
      if (content.size !== size) {
        await content[Symbol.asyncDispose]();
        throw lost(id, "is damaged");
      }
      verifier.look(sha256);
      return content;
    },
  };
}

const storedEvent = (upload: Upload): BusMessage => ({
  type: "upload.stored",
  source: "/app/uploads",
  subject: String(upload.id),
  data: upload,
});

const lost = (id: number, how: string) =>
  new HttpError(
    404,
    "content_lost",
    `The content of upload ${String(id)} ${how}. Put its file back into the folder uploads of the data directory, or upload it again.`,
  );

const toUpload = (row: Selectable<UploadsTable>): Upload => ({
  id: row.id,
  kind: row.kind,
  type: row.type,
  file_name: row.file_name,
  media_type: row.media_type,
  size: row.size,
  sha256: row.sha256,
  created_at: new Date(row.created_at).toISOString(),
});
