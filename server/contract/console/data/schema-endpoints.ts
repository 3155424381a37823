/** The console's operations on the schema files of collections. */
import { z } from "zod";
import { anyItemId } from "../../app/item-ids.ts";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";

const name = z
  .string()
  .max(100)
  .describe("The collection's name, which is that of its file and of its path.")
  .meta({ examples: ["books"] });
const base = { tag: "collections", access: "console", params: z.object({ name }) } as const;
const text = z
  .string()
  .max(1_048_576)
  .describe("The text of the schema file: JSON Schema with `x-hearth`.")
  .meta({ examples: ['{"type": "object", "properties": {"title": {"type": "string"}}}'] });

const schemaText = z.object({ text, file: z.string().describe("Where it lies.") });
export type SchemaText = z.infer<typeof schemaText>;

/** Answers the text of a collection's schema file, as it lies in the collections folder, valid or not. */
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
  field: z.string().describe("The member of the item; empty for the item itself."),
  problem: z.string(),
});

export const ignoredFormatsSchema = z
  .array(z.object({ format: z.string(), line: z.number().int(), column: z.number().int() }))
  .optional()
  .describe("Formats in the schema that no value is checked by: the first 20, absent where there are none.");

const schemaCheck = z
  .object({
    problem: z
      .object({ message: z.string(), line: z.number().int(), column: z.number().int() })
      .optional()
      .describe("Why no collection can be made of it."),
    misfits: z.number().int().describe("Number of stored items that do not match it."),
    examples: z.array(misfit).describe("The first of them, each with its first problem."),
    ignored_formats: ignoredFormatsSchema,
  })
  .meta({ title: "SchemaCheck" });
export type SchemaCheck = z.infer<typeof schemaCheck>;

/** Checks a schema and changes nothing: whether it can be served, and which stored items do not match it. */
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
 * Writes a collection's schema file and serves it: a new collection, or a changed one. Items are never changed by it. 409
 * when stored items do not fit, unless `keep_misfits` says that they may stay: they are answered as they are, and must fit
 * when they are changed.
 */
export const saveSchema = endpoint({
  ...base,
  id: "saveSchema",
  method: "PUT",
  path: "/console/api/collections/{name}/schema",
  status: 200,
  body: z.strictObject({
    text,
    create: z.boolean().default(false).describe("It is a new collection: 409 when there is one of that name."),
    keep_misfits: z.boolean().default(false).describe("Save the schema even if stored items do not match it."),
  }),
  maxBodyBytes: 8 * 1024 * 1024,
  data: z.object({ file: z.string(), path: z.string().meta({ examples: ["/api/books"] }) }),
  errors: [409],
});

/**
 * Takes a collection out of service and moves its schema and its items aside, into a folder of the data directory that the
 * answer names. 409 while another collection refers to it.
 */
export const removeCollection = endpoint({
  ...base,
  id: "removeCollection",
  method: "DELETE",
  path: "/console/api/collections/{name}",
  status: 200,
  data: z.object({
    folder: z.string().describe("Where the schema and the items now lie; `items.json` can be imported again."),
    items: z.number().int(),
  }),
  errors: [404, 409],
});

/** Adds many items without an owner, all or none: 400 names the first that does not match the schema. */
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
