import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/** What of the page is kept in its address. */
export const faultsSearch = z.object({
  /** Key of the open fault: `route-1`, `sim-2`. */
  fault: searchText,
  origin: z.enum(["payment", "identity", "route"]).optional().catch(undefined),
  q: searchText,
  /** The form for a new fault is open, with this kind; `route` for a fault of HTTP routes. */
  add: searchText,
  /** The order that a new fault is for. */
  order: searchText,
});
export type FaultsSearch = z.output<typeof faultsSearch>;
