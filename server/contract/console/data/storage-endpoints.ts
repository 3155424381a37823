/** The console's operations on the storage in the data directory. They need the console's token, or its cookie. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";

export const storagePartSchema = z.enum([
  "application",
  "provider",
  "uploads",
  "orphans",
  "requests",
  "models",
  "prompt_cache",
  "backups",
]);
export type StoragePart = z.infer<typeof storagePartSchema>;

const count = z.number().int().nonnegative();

const storageSchema = z
  .object({
    counting: z.boolean().describe("Whether a count is running. Ask again in a moment for its result."),
    counted_files: count.describe("Number of files counted so far, or in the last count."),
    counted_at: z.iso
      .datetime()
      .optional()
      .describe("When the sizes were counted. Absent before the first count ends."),
    uploads_in: z
      .string()
      .optional()
      .describe("Bucket with the contents of uploads. Contents in a bucket are not counted."),
    parts: z
      .array(z.object({ name: storagePartSchema, files: count, bytes: count }))
      .describe(
        "Sizes by part. `application` and `provider`: databases with their journals. `orphans`: contents without an upload. `backups`: copies made by Hearth.",
      ),
  })
  .meta({ title: "Storage" });
export type StorageSizes = z.infer<typeof storageSchema>;

const removedSchema = z.object({
  removed: count.describe("Number of deleted files, or of folders that a restore moved aside."),
});

const base = { tag: "storage", access: "console", status: 200 } as const;

/**
 * Returns the size of each part of the data directory. The sizes are those of the last count; an old count starts a new
 * one.
 */
export const getStorage = endpoint({
  ...base,
  id: "getStorage",
  method: "GET",
  path: "/console/api/storage",
  data: storageSchema,
});

/** Makes the next request for sizes count again, however recent the last count is. */
export const countStorage = endpoint({
  ...base,
  id: "countStorage",
  method: "POST",
  path: "/console/api/storage/counts",
  status: 202,
});

/**
 * Deletes the backups. These are copies of databases from before a change of their tables, and data that a restore
 * moved aside.
 */
export const deleteBackups = endpoint({
  ...base,
  id: "deleteBackups",
  method: "DELETE",
  path: "/console/api/storage/backups",
  data: removedSchema,
});

/** Deletes contents that were set aside because no upload refers to them. Damaged contents stay. */
export const deleteOrphans = endpoint({
  ...base,
  id: "deleteOrphans",
  method: "DELETE",
  path: "/console/api/storage/orphans",
  data: removedSchema,
});
