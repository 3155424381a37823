import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address: the collection, the filter, and what is opened: an item, a new one, the storage. */
export const collectionsSearch = z.object({
  collection: searchText,
  q: searchText,
  sort: searchText,
  item: z
    .string()
    .regex(/^(\d+|new)$/)
    .optional()
    .catch(undefined),
  view: z.literal("storage").optional().catch(undefined),
});
export type CollectionsSearch = z.output<typeof collectionsSearch>;
