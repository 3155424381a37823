import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";

export const screens = ["articles", "shop", "raffle", "me", "settings"] as const;
export type Screen = (typeof screens)[number];

/** The page's state in its address: the phone's person, and the open screen of its app. */
export const phoneSearch = z.object({ user: searchText, screen: z.enum(screens).optional().catch(undefined) });
