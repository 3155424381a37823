import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address. `model`: the one that a new conversation begins with. */
export const chatSearch = z.object({ conversation: searchText, model: searchText });
export type ChatSearch = z.infer<typeof chatSearch>;
