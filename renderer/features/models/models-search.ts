import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address. `from`: the model that a new one begins with. */
export const modelsSearch = z.object({
  q: searchText,
  model: searchText,
  view: z.enum(["pull", "create", "file"]).optional().catch(undefined),
  from: searchText,
});
export type ModelsSearch = z.infer<typeof modelsSearch>;
