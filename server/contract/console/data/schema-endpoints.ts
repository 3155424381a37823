/** The console's operations on the schema files of collections. */
import { z } from "zod";
import { anyItemId } from "../../app/item-ids.ts";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";

const name = z
  .string()
  .max(100)
  .describe("Name of the collection, its file and its path.")
  .meta({ examples: ["books"] });
const base = { tag: "collections", access: "console", params: z.object({ name }) } as const;
const text = z
  .string()
  .max(1_048_576)
  .describe("The text of the schema file: JSON Schema with `x-hearth`.")
  .meta({ examples: ['{"type": "object", "properties": {"title": {"type": "string"}}}'] });

const schemaText = z.object({ text, file: z.string().describe("Path of the schema file.") });
export type SchemaText = z.infer<typeof schemaText>;

/**
 * Returns the text of a collection's schema file. The text is that of the file in the collections folder, valid or not.
 */
export const getSchema = endpoint({
  ...base,
  id: "getSchema",
  method: "GET",
  path: "/console/api/collections/{name}/schema",
  status: 200,
  data: schemaText,
  errors: [404],
});

const misfit = z.object({
  id: anyItemId,
  field: z.string().describe("Member of the item. Empty for the item itself."),
  problem: z.string(),
});

export const ignoredFormatsSchema = z
  .array(z.object({ format: z.string(), line: z.number().int(), column: z.number().int() }))
  .optional()
  .describe("Formats in the schema that are not checked, at most 20. Absent without such a format.");

const schemaCheck = z
  .object({
    problem: z
      .object({ message: z.string(), line: z.number().int(), column: z.number().int() })
      .optional()
      .describe("Reason why the schema cannot be served."),
    misfits: z.number().int().describe("Number of stored items that do not match the schema."),
    examples: z.array(misfit).describe("First such items, each with its first problem."),
    ignored_formats: ignoredFormatsSchema,
  })
  .meta({ title: "SchemaCheck" });
export type SchemaCheck = z.infer<typeof schemaCheck>;

/**
 * Checks a schema without changing anything. The result says whether the schema can be served and which stored items do
 * not match it.
 */
export const checkSchema = endpoint({
  ...base,
  id: "checkSchema",
  method: "POST",
  path: "/console/api/collections/{name}/schema-checks",
  status: 200,
  body: z.strictObject({ text }),
  maxBodyBytes: 8 * 1024 * 1024,
  data: schemaCheck,
  errors: [409],
});

/**
 * Writes a collection's schema file and serves the collection. This adds or changes a collection; items are never
 * changed. If stored items do not match, the answer is 409. With `keep_misfits`, they stay and are returned unchanged,
 * but must match on their next change.
 */
export const saveSchema = endpoint({
  ...base,
  id: "saveSchema",
  method: "PUT",
  path: "/console/api/collections/{name}/schema",
  status: 200,
  body: z.strictObject({
    text,
    create: z.boolean().default(false).describe("Require a new collection. If the name exists, the answer is 409."),
    keep_misfits: z.boolean().default(false).describe("Save the schema even if stored items do not match it."),
  }),
  maxBodyBytes: 8 * 1024 * 1024,
  data: z.object({ file: z.string(), path: z.string().meta({ examples: ["/api/books"] }) }),
  errors: [409],
});

/**
 * Removes a collection from service. Its schema and items move to a folder of the data directory, which the answer
 * names. If another collection refers to it, the answer is 409.
 */
export const removeCollection = endpoint({
  ...base,
  id: "removeCollection",
  method: "DELETE",
  path: "/console/api/collections/{name}",
  status: 200,
  data: z.object({
    folder: z
      .string()
      .describe("Folder that now contains the schema and the items. `items.json` can be imported again."),
    items: z.number().int(),
  }),
  errors: [404, 409],
});

/**
 * Adds many items without an owner, all or none. If an item does not match the schema, the answer is 400 and names the
 * first one.
 */
export const addItems = endpoint({
  ...base,
  id: "addItems",
  method: "POST",
  path: "/console/api/collections/{name}/imports",
  status: 201,
  body: z.strictObject({ items: list(z.record(z.string(), z.unknown())).min(1).max(100_000) }),
  maxBodyBytes: 64 * 1024 * 1024,
  data: z.object({ added: z.number().int() }),
  errors: [404],
});
