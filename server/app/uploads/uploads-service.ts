import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Kysely, Selectable } from "kysely";
import type { Upload } from "../../contract/uploads.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { BlobStore } from "../../store/blob-store.ts";
import { acceptedExtension, checkedMediaType } from "./file-types.ts";
import type { UploadsTable, UploadsTables } from "./uploads-table.ts";

interface Deps {
  readonly db: Kysely<UploadsTables>;
  readonly blobs: BlobStore;
  readonly bus: EventBus;
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
  /** Streams a file to disk. @throws HttpError 400 when its name or content is not taken; nothing remains then. */
  receive(file: IncomingFile): Promise<ReceivedFile>;
  /** Makes a received file an upload of `ownerId`. */
  record(file: ReceivedFile, ownerId: number, type: string): Promise<{ upload: Upload; publicId: string | undefined }>;
  list(page: { before?: number | undefined; limit: number }): Promise<{ uploads: Upload[]; total: number }>;
  find(id: number): Promise<Upload | undefined>;
  findAvatar(publicId: string): Promise<Upload | undefined>;
  read(upload: Upload): Readable;
}

export function createUploads({ db, blobs, bus, now }: Deps): Uploads {
  return {
    async receive({ kind, fileName, content }) {
      const extension = acceptedExtension(fileName, kind);
      let mediaType = "";
      const stored = await blobs.put(content, async (head) => {
        mediaType = await checkedMediaType(head, extension, fileName);
      });
      return { kind, fileName, mediaType, ...stored };
    },

    async record({ kind, fileName, mediaType, sha256, size }, ownerId, type) {
      const publicId = kind === "avatar" ? randomUUID() : undefined;
      const row = await db
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
        .returningAll()
        .executeTakeFirstOrThrow();
      const upload = toUpload(row);
      bus.publish({ type: "upload.stored", source: "/app/uploads", subject: String(upload.id), data: upload });
      return { upload, publicId };
    },

    async list({ before, limit }) {
      const { total } = await db
        .selectFrom("uploads")
        .select((e) => e.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom("uploads")
        .selectAll()
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return { uploads: rows.map(toUpload), total };
    },

    async find(id) {
      const row = await db.selectFrom("uploads").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toUpload(row);
    },

    async findAvatar(publicId) {
      const row = await db.selectFrom("uploads").selectAll().where("public_id", "=", publicId).executeTakeFirst();
      return row && toUpload(row);
    },

    read: ({ sha256 }) => blobs.read(sha256),
  };
}

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
