import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address. `guide`: a file name without its ending; `section`: the anchor of a heading. */
export const apiDocsSearch = z.object({
  view: z.enum(["guides"]).optional().catch(undefined),
  guide: searchText,
  section: searchText,
});
