import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/** The page's state in its address. */
export const faultsSearch = z.object({
  /** The table of all faults, and the form for any; the questions unless given. */
  view: z.literal("advanced").optional().catch(undefined),
  /** Key of the open fault: `route-1`, `sim-2`. */
  fault: searchText,
  origin: z.enum(["payment", "identity", "route"]).optional().catch(undefined),
  q: searchText,
  /** The form for a new fault is open, with this kind; `route` for a fault of HTTP routes. */
  add: searchText,
  /** The order for a new fault. */
  order: searchText,
});
export type FaultsSearch = z.output<typeof faultsSearch>;
