import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address. `guide`: a file name without its ending; `section`: the anchor of a heading. */
export const guidesSearch = z.object({ guide: searchText, section: searchText });
