/** All data as one JSON document, for /console/api/data. */
import { z } from "zod";
import { conditions } from "../../messages/en/conditions.ts";
import { mostIdCharacters } from "../../app/item-ids.ts";
import { dictionary, list } from "../../bounded-lists.ts";
import { uploadSchema } from "../../app/uploads.ts";

/** Ids and versions are counted on from those of a document, and must stay exact. */
const countedOn = z.int().max(2 ** 52);

export const recordDocument = z.strictObject({
  id: z.union([countedOn.positive(), z.string().min(1).max(mostIdCharacters)]).describe("Id as clients see it."),
  owner_uid: z
    .string()
    .regex(/^(?:u[1-9]\d{0,14})?$/, conditions["is.ownerUid"])
    .describe("Uid of the creator. Empty without an owner."),
  version: countedOn.positive(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()).describe("The fields of the collection."),
});
export type RecordDocument = z.infer<typeof recordDocument>;

export const collectionDocument = z.strictObject({
  last_id: countedOn.min(0).default(0).describe("Highest id ever assigned."),
  records: list(recordDocument),
});

export const dataDocument = z
  .strictObject({
    format: z.literal("hearth-data/1"),
    exported_at: z.iso.datetime().optional(),
    secrets: z
      .enum(["left out", "included"])
      .default("left out")
      .describe("Whether the records contain secret fields, such as hashes of passwords."),
    collections: dictionary(z.string(), collectionDocument),
    uploads: list(uploadSchema)
      .optional()
      .describe("Uploads without their content. An import does not change uploads."),
  })
  .meta({ title: "DataDocument" });
export type DataDocument = z.infer<typeof dataDocument>;

export const exportQuery = z.object({
  secrets: z.enum(["include"]).optional().describe("`include` also exports secret fields."),
});

export const importResult = z.object({ collections: z.number().int(), records: z.number().int() });
export type ImportResult = z.infer<typeof importResult>;
