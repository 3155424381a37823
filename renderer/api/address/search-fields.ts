/** Fields of a page's address. Invalid values are dropped, so that an old or mistyped address still opens the page. */
import { z } from "zod";

export const searchText = z.string().min(1).optional().catch(undefined);
/** A time as ISO 8601, in UTC. */
export const searchTime = z.iso.datetime().optional().catch(undefined);
/** An id that the server counts up. */
export const searchId = z.string().regex(/^\d+$/).optional().catch(undefined);
