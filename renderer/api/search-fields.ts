/** Fields of a page's address. What is no fit value is left out, so that an old or mistyped address still opens the page. */
import { z } from "zod";

export const searchText = z.string().min(1).optional().catch(undefined);
/** An id that the server counts up. */
export const searchId = z.string().regex(/^\d+$/).optional().catch(undefined);
