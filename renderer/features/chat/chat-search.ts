import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

/**
 * What of the page is kept in its address. `conversation`: its id, or "new"; absent: the newest one. `model`: the one that a
 * new conversation begins with.
 */
export const chatSearch = z.object({
  conversation: searchText,
  model: searchText,
  panel: z.enum(["list", "settings", "request"]).optional().catch(undefined),
});
export type ChatSearch = z.infer<typeof chatSearch>;
