import { z } from "zod";
import { fileChangeSchema } from "../../../server/contract/app/file-events.ts";
import { searchId, searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address: the filter, and what is opened: an event, a watched folder, or the form for one. */
export const fileEventsSearch = z.object({
  q: searchText,
  ev: fileChangeSchema.optional().catch(undefined),
  path: searchText,
  event: searchId,
  /** The path with which the form for a new folder begins. */
  at: searchText,
  folder: z
    .string()
    .regex(/^(\d+|new)$/)
    .optional()
    .catch(undefined),
});
export type FileEventsSearch = z.output<typeof fileEventsSearch>;
