import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Selectable } from "kysely";
import type { z } from "zod";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { Upload } from "../../contract/app/uploads.ts";
import type { uploadPageQuery } from "../../contract/console/data/stored-uploads.ts";
import { columnOrder } from "../../contract/sort.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import { acceptedExtension, checkedMediaType } from "./file-types.ts";
import type { Hold } from "./held-contents.ts";
import { createThumbnails } from "./thumbnail.ts";
import { namesOneOf, type StoredFile, type UploadContents } from "./upload-contents.ts";
import type { UploadsTable, UploadsTables } from "./uploads-table.ts";

interface Deps {
  readonly database: EventDatabase<UploadsTables>;
  readonly blobs: BlobStore;
  readonly contents: UploadContents;
  readonly now: () => number;
}

interface IncomingFile {
  readonly kind: "upload" | "avatar";
  readonly fileName: string;
  readonly content: Readable;
}

/** A received file. Its `type` is known only after the whole form is read. */
export interface ReceivedFile extends Omit<IncomingFile, "content"> {
  readonly mediaType: string;
  readonly sha256: string;
  readonly size: number;
  /** Holds its content until it is recorded or discarded. */
  readonly hold: Hold;
}

interface UploadPageQuery {
  readonly before?: number | undefined;
  readonly sort?: z.output<typeof uploadPageQuery>["sort"];
  readonly offset?: number | undefined;
  readonly limit: number;
  readonly ownerId?: number;
  readonly lost?: boolean | undefined;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Uploaded files: each content in the blob store, with a row for each upload. */
export function createUploads({ database: { db, writes }, blobs, contents, now }: Deps) {
  /** Removes a received file that will not become an upload. */
  async function discard({ hold }: ReceivedFile): Promise<void> {
    await hold.release();
    await contents.removeUnnamed(hold.sha256s);
  }

  return {
    /**
     * Streams a file to the store. The caller must record or discard it.
     * @throws HttpError 400 when its name or content is refused; nothing is stored then
     */
    async receive({ kind, fileName, content }: IncomingFile): Promise<ReceivedFile> {
      const extension = acceptedExtension(fileName, kind);
      let mediaType = "";
      let hold = await contents.hold([]);
      try {
        const stored = await blobs.put(content, async (head, { sha256 }) => {
          mediaType = await checkedMediaType(head, extension, fileName);
          hold = await contents.hold([sha256]);
        });
        return { kind, fileName, mediaType, ...stored, hold };
      } catch (error) {
        await hold.release();
        throw error;
      }
    },

    discard,

    /** Makes a received file an upload of `ownerId`. */
    async record(file: ReceivedFile, ownerId: number, type: string) {
      const { kind, fileName, mediaType, sha256, size, hold } = file;
      const publicId = kind === "avatar" ? randomUUID() : undefined;
      const row = {
        ...{ kind, type, size, sha256, file_name: fileName, media_type: mediaType },
        ...{ owner_id: ownerId, public_id: publicId ?? null, created_at: now() },
      };
      const insert = db.insertInto("uploads").values(row).returningAll();
      const stored = writes.writeWithEvent(async () => (await writes.run(insert)).map(toUpload)[0], storedEvent);
      const upload = await stored.catch(async (error: unknown) => {
        await discard(file);
        throw error;
      });
      if (!upload) throw new Error("an upload has no id");
      await contents.named(hold);
      return { upload, publicId };
    },

    /** Newest first unless sorted. `ownerId` selects that user's uploads, `lost` those with lost contents. */
    async list({ before, sort, offset = 0, limit, ownerId, lost = false }: UploadPageQuery) {
      const { column, direction } = columnOrder(sort);
      const chosen = db
        .selectFrom("uploads")
        .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId ?? 0))
        .$if(lost, (query) => query.where(namesOneOf(contents.lostOnes())));
      const { total } = await chosen.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await chosen
        .selectAll()
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
        .orderBy(column, direction)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      const uploads = rows.map((row) => ({
        ...toUpload(row),
        owner_uid: `u${String(row.owner_id)}`,
        lost: contents.lossOf(row.sha256),
      }));
      return { uploads, total };
    },

    async find(id: number): Promise<(Upload & { ownerId: number }) | undefined> {
      const row = await db.selectFrom("uploads").selectAll().where("id", "=", id).executeTakeFirst();
      return row && { ...toUpload(row), ownerId: row.owner_id };
    },

    async findAvatar(publicId: string): Promise<Upload | undefined> {
      const row = await db.selectFrom("uploads").selectAll().where("public_id", "=", publicId).executeTakeFirst();
      return row && toUpload(row);
    },

    /** @throws HttpError 404 `content_lost` when it is missing or damaged */
    content: (upload: StoredFile) => contents.open(upload),
    thumbnail: createThumbnails((upload) => contents.open(upload)),
  };
}

const storedEvent = (upload: Upload): BusMessage => ({
  type: "upload.stored",
  source: "/app/uploads",
  subject: String(upload.id),
  data: upload,
});

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
