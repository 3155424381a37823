/** The console's operations on collections, with the items of all owners. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { anyItemId, mostIdCharacters } from "../../app/item-ids.ts";
import { wholeNumber } from "../../whole-number.ts";

const collectionSchema = z
  .object({
    name: z.string().meta({ examples: ["articles"] }),
    about: z.string().optional().describe("Description from the schema."),
    path: z.string().meta({ examples: ["/api/articles"] }),
    items: z.number().int().describe("Number of items."),
    fields: z.array(z.string()).describe("Top-level members of the items, in the schema's order."),
    sort_fields: z.array(z.string()).describe("Fields that lists can be sorted by."),
    searchable: z.boolean().describe("Whether `q` searches this collection."),
    schema: z.unknown().describe("JSON Schema of the client's input."),
    relations: z
      .array(z.object({ field: z.string(), to: z.string().describe("Name of the referenced collection.") }))
      .describe("Fields that refer to items."),
    built_in: z.boolean().describe("False if a user's file defines the collection."),
  })
  .meta({ title: "Collection" });
export type CollectionView = z.infer<typeof collectionSchema>;

const itemSchema = z
  .object({
    id: anyItemId.describe("Id as clients see it."),
    owner_uid: z.string().describe("Uid of the creator. Empty without an owner."),
    version: z.number().int(),
    created_at: z.string().meta({ format: "date-time" }),
    updated_at: z.string().meta({ format: "date-time" }),
    data: z.record(z.string(), z.unknown()).describe("Fields of the item, without secret ones."),
  })
  .meta({ title: "CollectionItem" });
export type CollectionItem = z.infer<typeof itemSchema>;

const itemPageSchema = z.object({ items: z.array(itemSchema), total: z.number().int() });

const base = { tag: "collections", access: "console" } as const;
const name = z
  .string()
  .max(100)
  .describe("The collection's name.")
  .meta({ examples: ["articles"] });
const itemText = z
  .string()
  .max(mostIdCharacters)
  .describe("The item's id.")
  .meta({ examples: ["1"] });
const all = { ...base, path: "/console/api/collections/{name}/items", params: z.object({ name }) } as const;
const one = {
  ...base,
  path: "/console/api/collections/{name}/items/{id}",
  params: z.object({ name, id: itemText }),
} as const;

/** Lists the served collections with the number of items and the schema of each. */
export const listCollections = endpoint({
  ...base,
  id: "listCollections",
  method: "GET",
  path: "/console/api/collections",
  status: 200,
  data: z.object({ collections: z.array(collectionSchema) }),
});

/** Returns a page of a collection's items, of all owners, newest first by default. `sort` changes the order. */
export const listItems = endpoint({
  ...all,
  id: "listItems",
  method: "GET",
  status: 200,
  query: z.object({
    q: z.string().max(200).optional().describe("Only items that contain this text."),
    sort: z.string().max(200).optional().describe("Fields to sort by, separated by commas; '-' reverses one."),
    page: wholeNumber(z.int().min(1).max(1_000_000)).default(1),
    page_size: wholeNumber(z.int().min(1).max(500)).default(100),
  }),
  data: itemPageSchema,
  errors: [404],
});

/** Returns one item of a collection. */
export const getItem = endpoint({ ...one, id: "getItem", method: "GET", status: 200, data: itemSchema, errors: [404] });

const fields = z.record(z.string(), z.unknown());

/**
 * Adds an item without an owner. Its fields are checked like those from a client. If only an owner could read the item,
 * the answer is 400.
 */
export const createItem = endpoint({
  ...all,
  id: "createItem",
  method: "POST",
  status: 201,
  body: z.object({ data: fields }),
  data: itemSchema,
  errors: [404],
});

/**
 * Replaces the fields of an item. Omitted fields get their defaults; secret fields and those that the server writes
 * stay unchanged. If the change would undo drawn prizes, the answer is 403. If the item no longer has `version`, the
 * answer is 412.
 */
export const replaceItem = endpoint({
  ...one,
  id: "replaceItem",
  method: "PUT",
  status: 200,
  body: z.object({
    version: z.number().int().describe("Version that the change is based on."),
    updated_at: z
      .string()
      .max(100)
      .optional()
      .describe("Time of that version, as returned. It distinguishes versions before and after a reset or import.")
      .meta({ format: "date-time" }),
    data: fields,
  }),
  data: itemSchema,
  errors: [403, 404, 412],
});

/** Deletes an item of any owner. If another item refers to it, the answer is 409. */
export const deleteItem = endpoint({
  ...one,
  id: "deleteItem",
  method: "DELETE",
  status: 204,
  errors: [404, 409, 412],
});

/**
 * Undoes the last change by `createItem`, `replaceItem` or `deleteItem` since the start. The body may name an item. A
 * deleted item returns under its id, with its secret fields. The last 100 changes can be undone, one after another. If
 * there is none left, the answer is 404. If the item has changed since, it is 412. A change that a rule protects cannot
 * be undone.
 */
export const undoItemChange = endpoint({
  ...base,
  id: "undoItemChange",
  method: "POST",
  path: "/console/api/undone-changes",
  status: 200,
  body: z.strictObject({
    item: z
      .strictObject({ collection: name, id: anyItemId })
      .optional()
      .describe("Item whose last change is undone. Default: any item."),
  }),
  data: z.object({
    collection: z.string().meta({ examples: ["articles"] }),
    id: anyItemId,
    undone: z.enum(["created", "changed", "deleted"]).describe("The undone change."),
  }),
  errors: [404, 409, 412],
});
