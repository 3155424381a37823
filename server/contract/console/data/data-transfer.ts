/** All data as one JSON document, for /console/api/data. */
import { z } from "zod";
import { dictionary, list } from "../../bounded-lists.ts";
import { uploadSchema } from "../../app/uploads.ts";

export const recordDocument = z.strictObject({
  id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  owner_uid: z
    .string()
    .regex(/^(?:u[1-9]\d{0,14})?$/, 'is no uid: "u" and a number, or empty for what belongs to nobody')
    .describe("Who created it; empty where nobody has."),
  version: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()).describe("The fields of the collection."),
});
export type RecordDocument = z.infer<typeof recordDocument>;

export const collectionDocument = z.strictObject({
  last_id: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0).describe("The highest id ever given out."),
  records: list(recordDocument),
});

export const dataDocument = z
  .strictObject({
    format: z.literal("hearth-data/1"),
    exported_at: z.iso.datetime().optional(),
    secrets: z
      .enum(["left out", "included"])
      .default("left out")
      .describe("Whether fields that are never answered, such as the hashes of passwords, are in the records."),
    collections: dictionary(z.string(), collectionDocument),
    uploads: list(uploadSchema)
      .optional()
      .describe("What has been uploaded, without its content; an import leaves uploads alone."),
  })
  .meta({ title: "DataDocument" });
export type DataDocument = z.infer<typeof dataDocument>;

export const exportQuery = z.object({
  secrets: z.enum(["include"]).optional().describe("Also exports the fields that are never answered."),
});

export const importResult = z.object({ collections: z.number().int(), records: z.number().int() });
export type ImportResult = z.infer<typeof importResult>;
