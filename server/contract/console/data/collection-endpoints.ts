/** The console's operations on collections, with the items of all owners. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { anyItemId, mostIdCharacters } from "../../app/item-ids.ts";
import { wholeNumber } from "../../whole-number.ts";

const collectionSchema = z
  .object({
    name: z.string().meta({ examples: ["articles"] }),
    about: z.string().optional().describe("Description from its schema."),
    path: z.string().meta({ examples: ["/api/articles"] }),
    items: z.number().int().describe("How many it holds."),
    fields: z.array(z.string()).describe("Top-level members of its items, in the order of its schema."),
    sort_fields: z.array(z.string()).describe("Fields that lists can be sorted by."),
    searchable: z.boolean().describe("Whether `q` finds anything in it."),
    schema: z.unknown().describe("JSON Schema of what a client sends."),
    relations: z
      .array(z.object({ field: z.string(), to: z.string().describe("The collection that its ids are of.") }))
      .describe("Fields that refer to other items."),
    built_in: z.boolean().describe("False for one that a user's file defines."),
  })
  .meta({ title: "Collection" });
export type CollectionView = z.infer<typeof collectionSchema>;

const itemSchema = z
  .object({
    id: anyItemId.describe("As clients see it."),
    owner_uid: z.string().describe("Uid of the creator; empty without an owner."),
    version: z.number().int(),
    created_at: z.string().meta({ format: "date-time" }),
    updated_at: z.string().meta({ format: "date-time" }),
    data: z.record(z.string(), z.unknown()).describe("Its fields, without those that are never answered."),
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

/** Lists the collections that are served now, with how many items each holds and the schema of its items. */
export const listCollections = endpoint({
  ...base,
  id: "listCollections",
  method: "GET",
  path: "/console/api/collections",
  status: 200,
  data: z.object({ collections: z.array(collectionSchema) }),
});

/** Answers a page of a collection's items, whoever owns them, the newest first unless `sort` says otherwise. */
export const listItems = endpoint({
  ...all,
  id: "listItems",
  method: "GET",
  status: 200,
  query: z.object({
    q: z.string().max(200).optional().describe("Only items that contain this text."),
    sort: z
      .string()
      .max(200)
      .optional()
      .describe("Fields to sort by, with commas between; '-' before one turns it round."),
    page: wholeNumber(z.int().min(1).max(1_000_000)).default(1),
    page_size: wholeNumber(z.int().min(1).max(500)).default(100),
  }),
  data: itemPageSchema,
  errors: [404],
});

/** Answers one item of a collection. */
export const getItem = endpoint({ ...one, id: "getItem", method: "GET", status: 200, data: itemSchema, errors: [404] });

const fields = z.record(z.string(), z.unknown());

/**
 * Adds an item that belongs to nobody; its fields are checked as those that a client sends. 400 for one that only its owner
 * could read.
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
 * Gives an item these fields; one that is left out gets its default, and a secret one stays as it is, as do those that the
 * server writes. 403 when prizes were drawn that the change would take back, 412 when the item is not at `version` any more.
 */
export const replaceItem = endpoint({
  ...one,
  id: "replaceItem",
  method: "PUT",
  status: 200,
  body: z.object({
    version: z.number().int().describe("The version that was edited."),
    updated_at: z
      .string()
      .max(100)
      .optional()
      .describe(
        "Its time, as it was answered: it tells it from the same version after a reset or an import that replaces.",
      )
      .meta({ format: "date-time" }),
    data: fields,
  }),
  data: itemSchema,
  errors: [403, 404, 412],
});

/** Deletes an item, whoever owns it. 409 while another item refers to it. */
export const deleteItem = endpoint({
  ...one,
  id: "deleteItem",
  method: "DELETE",
  status: 204,
  errors: [404, 409, 412],
});

/**
 * Undoes the last change that was made by `createItem`, `replaceItem` or `deleteItem` since the start, of any item or of the
 * one named: a deleted item is back under its id, with what it kept secret. The last hundred can be undone, one after
 * another; 404 when there is none left, 412 when the item has been changed since. One that a rule forbids to undo stays.
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
