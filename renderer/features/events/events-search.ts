import { z } from "zod";
import { searchId, searchText, searchTime } from "../../api/address/search-fields.ts";

/** The page's state in its address: the filter, and the open event. */
export const eventsSearch = z.object({
  type: searchText,
  source: searchText,
  subject: searchText,
  q: searchText,
  since: searchTime,
  until: searchTime,
  event: searchId,
});
