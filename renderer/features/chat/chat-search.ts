import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

/**
 * The page's state in its address. `conversation`: its id, or "new"; absent: the newest one, whose
 * id then comes here. `model`: for a new conversation.
 */
export const chatSearch = z.object({
  conversation: searchText,
  model: searchText,
  panel: z.enum(["list", "settings", "request"]).optional().catch(undefined),
});
export type ChatSearch = z.infer<typeof chatSearch>;
