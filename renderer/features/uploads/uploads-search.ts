import { z } from "zod";
import { uploadPageQuery } from "../../../server/contract/console/data/stored-uploads.ts";
import { searchId } from "../../api/address/search-fields.ts";

/** The page's state in its address: the open file, and the view, by default a table. */
export const uploadsSearch = z.object({
  upload: searchId,
  sort: uploadPageQuery.shape.sort.catch(undefined),
  view: z.enum(["gallery", "rejected", "lost"]).optional().catch(undefined),
});
export type UploadsSearch = z.output<typeof uploadsSearch>;
