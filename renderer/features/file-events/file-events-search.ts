import { z } from "zod";
import { fileChangeSchema, fileEventPageQuery } from "../../../server/contract/app/file-events.ts";
import { searchId, searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address: the filter, and the open event, watched folder or form. */
export const fileEventsSearch = z.object({
  q: searchText,
  ev: fileChangeSchema.optional().catch(undefined),
  path: searchText,
  sort: fileEventPageQuery.shape.sort.catch(undefined),
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
