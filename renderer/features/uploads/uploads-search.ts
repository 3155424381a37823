import { z } from "zod";
import { searchId } from "../../api/address/search-fields.ts";

/** The page's state in its address: the open file, and the view, by default a table. */
export const uploadsSearch = z.object({
  upload: searchId,
  view: z.enum(["gallery", "rejected", "lost"]).optional().catch(undefined),
});
