import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address: the open row, by uid or, before the first login, by the person's name. */
export const usersSearch = z.object({ user: searchText, person: searchText, q: searchText });
export type UsersSearch = z.infer<typeof usersSearch>;
