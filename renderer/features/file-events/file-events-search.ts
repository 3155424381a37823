import { z } from "zod";
import { searchId } from "../../api/search-fields.ts";

/** What of the page is kept in its address. */
export const fileEventsSearch = z.object({ folder: searchId, event: searchId });
