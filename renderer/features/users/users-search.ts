import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address. */
export const usersSearch = z.object({ user: searchText });
