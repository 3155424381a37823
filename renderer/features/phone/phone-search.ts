import { z } from "zod";
import { searchText } from "../../api/search-fields.ts";

export const screens = ["articles", "shop", "raffle", "me", "settings"] as const;
export type Screen = (typeof screens)[number];

/** What of the page is kept in its address: whose phone it is, and what of its app is open. */
export const phoneSearch = z.object({ user: searchText, screen: z.enum(screens).optional().catch(undefined) });
