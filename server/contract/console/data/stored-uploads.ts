/** Further operations of the console on all uploaded files. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { idParams } from "../../app/resources.ts";
import { archiveEntrySchema, uploadSchema } from "../../app/uploads.ts";
import { queryFlag } from "../../query-flag.ts";
import { sortQuery } from "../../sort.ts";
import { wholeNumber } from "../../whole-number.ts";

/** Why the content of an upload is unavailable. */
export const lossReasonSchema = z.enum(["missing", "damaged"]);
export type LossReason = z.infer<typeof lossReasonSchema>;

export const storedUploadSchema = uploadSchema
  .extend({
    owner_uid: z.string().describe("Uid of the uploader."),
    lost: lossReasonSchema.optional().describe("Why its content is lost; absent where it is not known to be."),
  })
  .meta({ title: "StoredUpload" });
export type StoredUpload = z.infer<typeof storedUploadSchema>;

/** GET /console/api/uploads: newest first unless sorted. */
export const uploadPageSchema = z.object({ uploads: z.array(storedUploadSchema), total: z.number().int() });

export const uploadPageQuery = z.object({
  ...sortQuery(["file_name", "type", "media_type", "size", "created_at"]),
  before: wholeNumber(z.int().positive()).optional(),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
  lost: queryFlag.optional().describe("Only those whose content is lost."),
});

const one = { tag: "files", method: "GET", access: "console", status: 200, params: idParams, errors: [404] } as const;

/** Answers a small picture of an uploaded image: at most 256 by 256 pixels, WebP. */
export const getStoredUploadThumbnail = endpoint({
  ...one,
  id: "getStoredUploadThumbnail",
  path: "/console/api/uploads/{id}/thumbnail",
  produces: ["image/webp"],
  replyHeaders: ["X-Content-Type-Options"],
});

/** Lists what is in an uploaded zip archive, without unpacking it: the first thousand entries. */
export const listStoredUploadEntries = endpoint({
  ...one,
  id: "listStoredUploadEntries",
  path: "/console/api/uploads/{id}/entries",
  data: z.object({
    entries: z.array(archiveEntrySchema),
    complete: z.boolean().describe("False when there are more."),
  }),
});

const uploadContentsState = z.object({
  folder: z.string().describe("Where the contents of uploads lie."),
  lost: z.number().int().describe("Uploads whose content is known to be lost."),
  orphans: z.object({
    count: z.number().int().describe("Contents that were set aside: no upload names them, or they are damaged."),
    bytes: z.number().int(),
  }),
  check: z
    .object({ done: z.number().int(), total: z.number().int() })
    .optional()
    .describe("While a check runs: how many of the contents that have come back it has read."),
});
export type UploadContentsState = z.infer<typeof uploadContentsState>;

/** Answers the state of the uploads' contents, as found at the start, by the last check and by readers. */
export const getUploadContents = endpoint({
  id: "getUploadContents",
  tag: "files",
  method: "GET",
  path: "/console/api/upload-contents",
  access: "console",
  status: 200,
  data: uploadContentsState,
});

/** The result of a check of the uploads. */
export const uploadCheckSchema = z.object({
  recovered: z.number().int().describe("Uploads that have their content again."),
  lost: z.number().int().describe("Uploads whose content is still lost."),
  set_aside: z.number().int().describe("Contents that no upload names, and that were put aside."),
});
export type UploadCheck = z.infer<typeof uploadCheckSchema>;

/**
 * Looks at all uploads and contents once more, as a start does: takes back what has been put back into the folder or was set
 * aside, once it has been read to its end, and sets aside what no upload names. Who leaves cancels it; nothing is undone.
 */
export const checkUploads = endpoint({
  id: "checkUploads",
  tag: "files",
  method: "POST",
  path: "/console/api/upload-checks",
  access: "console",
  status: 200,
  data: uploadCheckSchema,
  errors: [409],
});
