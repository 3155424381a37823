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
    counting: z.boolean().describe("A count is under way: ask again in a moment for its result."),
    counted_files: count.describe("How many files the count has come to, or the last one had."),
    counted_at: z.iso
      .datetime()
      .optional()
      .describe("When the sizes were counted; absent before the first count ends."),
    uploads_in: z
      .string()
      .optional()
      .describe("The bucket with the contents of uploads and the orphans, which are not counted then."),
    parts: z
      .array(z.object({ name: storagePartSchema, files: count, bytes: count }))
      .describe(
        "`application` and `provider` are the databases with their journals; `orphans` are contents that no upload names; `backups` are the copies that Hearth itself has made.",
      ),
  })
  .meta({ title: "Storage" });
export type StorageSizes = z.infer<typeof storageSchema>;

const removedSchema = z.object({ removed: count.describe("Files, or folders that a restore has put aside.") });

const base = { tag: "storage", access: "console", status: 200 } as const;

/** Answers the size of each part of the data directory, as last counted. An older count starts a new one. */
export const getStorage = endpoint({
  ...base,
  id: "getStorage",
  method: "GET",
  path: "/console/api/storage",
  data: storageSchema,
});

/** Starts a new count with the next request for the sizes, however new the last count is. */
export const countStorage = endpoint({
  ...base,
  id: "countStorage",
  method: "POST",
  path: "/console/api/storage/counts",
  status: 202,
});

/** Deletes the copies of databases that were made before their tables were changed, and what restores have put aside. */
export const deleteBackups = endpoint({
  ...base,
  id: "deleteBackups",
  method: "DELETE",
  path: "/console/api/storage/backups",
  data: removedSchema,
});

/** Deletes the contents that were set aside because no upload names them; what is set aside because it is damaged stays. */
export const deleteOrphans = endpoint({
  ...base,
  id: "deleteOrphans",
  method: "DELETE",
  path: "/console/api/storage/orphans",
  data: removedSchema,
});
