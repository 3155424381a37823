import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address: the collection, the filter, and the open item, form of a new one, storage view or schema. */
export const collectionsSearch = z.object({
  collection: searchText,
  q: searchText,
  sort: searchText,
  item: searchText,
  view: z.enum(["storage", "schema", "new"]).optional().catch(undefined),
});
export type CollectionsSearch = z.output<typeof collectionsSearch>;
