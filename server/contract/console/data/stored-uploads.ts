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
    lost: lossReasonSchema.optional().describe("Reason why the content is lost. Absent if it is not known to be lost."),
  })
  .meta({ title: "StoredUpload" });
export type StoredUpload = z.infer<typeof storedUploadSchema>;

/** GET /console/api/uploads: newest first unless sorted. */
export const uploadPageSchema = z.object({ uploads: z.array(storedUploadSchema), total: z.number().int() });

export const uploadPageQuery = z.object({
  ...sortQuery(["file_name", "type", "media_type", "size", "created_at"]),
  before: wholeNumber(z.int().positive()).optional(),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
  lost: queryFlag.optional().describe("Only uploads with lost content."),
});

const one = { tag: "files", method: "GET", access: "console", status: 200, params: idParams, errors: [404] } as const;

/** Returns a thumbnail of an uploaded image. Thumbnails are WebP, at most 256 × 256 pixels. */
export const getStoredUploadThumbnail = endpoint({
  ...one,
  id: "getStoredUploadThumbnail",
  path: "/console/api/uploads/{id}/thumbnail",
  produces: ["image/webp"],
  replyHeaders: ["X-Content-Type-Options"],
});

/** Lists the content of an uploaded zip archive without unpacking it. The list has at most 1,000 entries. */
export const listStoredUploadEntries = endpoint({
  ...one,
  id: "listStoredUploadEntries",
  path: "/console/api/uploads/{id}/entries",
  data: z.object({
    entries: z.array(archiveEntrySchema),
    complete: z.boolean().describe("False if there are more."),
  }),
});

const uploadContentsState = z.object({
  folder: z.string().describe("Place of the uploads' contents."),
  lost: z.number().int().describe("Number of uploads with lost content."),
  orphans: z.object({
    count: z
      .number()
      .int()
      .describe("Number of contents that were set aside, because they are damaged or have no upload."),
    bytes: z.number().int(),
  }),
  check: z
    .object({ done: z.number().int(), total: z.number().int() })
    .optional()
    .describe("Number of returned contents that the running check has read."),
});
export type UploadContentsState = z.infer<typeof uploadContentsState>;

/**
 * Returns the condition of uploaded contents. It combines the checks at the start, the last check and errors found
 * while reading.
 */
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
  recovered: z.number().int().describe("Number of uploads whose content was restored."),
  lost: z.number().int().describe("Number of uploads whose content is still lost."),
  set_aside: z.number().int().describe("Number of contents that were set aside because they have no upload."),
});
export type UploadCheck = z.infer<typeof uploadCheckSchema>;

/**
 * Checks all uploads and contents again, as a start does. Contents that are back in the folder or were set aside are
 * read completely and then restored. Contents without an upload are set aside. Closing the connection cancels the
 * check; finished parts are kept.
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
