import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address: the collection, the filter, and the open item, form, storage view or schema. */
export const collectionsSearch = z.object({
  collection: searchText,
  q: searchText,
  sort: searchText,
  item: z
    .string()
    .regex(/^(\d+|new)$/)
    .optional()
    .catch(undefined),
  view: z.enum(["storage", "schema"]).optional().catch(undefined),
});
export type CollectionsSearch = z.output<typeof collectionsSearch>;
