import { z } from "zod";
import { searchId } from "../../api/search-fields.ts";

/** What of the page is kept in its address: the open file, and how the files are shown: as a table unless it says otherwise. */
export const uploadsSearch = z.object({
  upload: searchId,
  view: z.enum(["gallery", "rejected", "lost"]).optional().catch(undefined),
});
