import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address: who is open, by uid or, before the first login, by the person's name. */
export const usersSearch = z.object({ user: searchText, person: searchText, q: searchText });
