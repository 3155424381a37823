import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address. `from`: the base of a new model. */
export const modelsSearch = z.object({
  q: searchText,
  model: searchText,
  view: z.enum(["pull", "create", "file"]).optional().catch(undefined),
  from: searchText,
});
export type ModelsSearch = z.infer<typeof modelsSearch>;
