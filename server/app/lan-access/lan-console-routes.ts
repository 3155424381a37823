import {
  admitLanDevice,
  changeLanAccess,
  getLanAccess,
  removeLanDevice,
} from "../../contract/console/machine/lan-access-endpoints.ts";
import { inLanguageOf } from "../../http/messages/in-language.ts";
import { route, type Route } from "../../http/route.ts";
import type { LanAccess } from "./lan-access.ts";

/** The console's operations on the switch and on devices. */
export const lanConsoleRoutes = (access: Pick<LanAccess, "view" | "change" | "admit" | "remove">): Route[] => [
  route(getLanAccess, (_input, { req, res }) => ({ data: access.view(inLanguageOf(req, res)) })),
  route(changeLanAccess, async ({ body }, { req, res }) => {
    await access.change(body);
    return { data: access.view(inLanguageOf(req, res)) };
  }),
  route(admitLanDevice, async ({ params: { id } }) => access.admit(id)),
  route(removeLanDevice, async ({ params: { id } }) => access.remove(id)),
];
