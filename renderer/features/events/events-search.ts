import { z } from "zod";
import { searchId, searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address. */
export const eventsSearch = z.object({ type: searchText, event: searchId });
