import { z } from "zod";
import { eventListQuery } from "../../../server/contract/console/traffic/event-endpoints.ts";
import { searchId, searchText, searchTime } from "../../api/address/search-fields.ts";

/** The page's state in its address: the filter, and the open event. */
export const eventsSearch = z.object({
  type: searchText,
  source: searchText,
  subject: searchText,
  q: searchText,
  since: searchTime,
  until: searchTime,
  sort: eventListQuery.shape.sort.catch(undefined),
  event: searchId,
});
export type EventsSearch = z.output<typeof eventsSearch>;
