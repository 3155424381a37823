import { createBan, deleteBan, listBans } from "../../contract/console/console-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { BanList } from "./ban-list.ts";

/** The console's operations on bans. */
export const bansConsoleRoutes = (list: BanList): Route[] => [
  route(listBans, () => ({ data: { bans: list.list() } })),
  route(createBan, async ({ params: { ip } }) => list.add(ip)),
  route(deleteBan, async ({ params: { ip } }) => {
    if (!(await list.remove(ip))) throw refuse("ban.none", { ip });
  }),
];
