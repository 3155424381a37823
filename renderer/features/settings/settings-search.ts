import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address. */
export const settingsSearch = z.object({ q: searchText });
