import {
  admitLanDevice,
  changeLanAccess,
  getLanAccess,
  removeLanDevice,
} from "../../contract/console/machine/lan-access-endpoints.ts";
import { route, type Route } from "../../http/route.ts";
import type { LanAccess } from "./lan-access.ts";

/** The switch, and who is let in. */
export const lanConsoleRoutes = (access: Pick<LanAccess, "view" | "change" | "admit" | "remove">): Route[] => [
  route(getLanAccess, () => ({ data: access.view() })),
  route(changeLanAccess, async ({ body }) => {
    await access.change(body);
    return { data: access.view() };
  }),
  route(admitLanDevice, async ({ params: { id } }) => access.admit(id)),
  route(removeLanDevice, async ({ params: { id } }) => access.remove(id)),
];
