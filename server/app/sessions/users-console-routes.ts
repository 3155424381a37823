import {
  changeSession,
  forgetPhoneNumber,
  forgetUserInfo,
  getUser,
  listUsers,
  revokeSession,
} from "../../contract/console/console-users.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { UserAdministration } from "./user-administration.ts";

/** The console's operations on users and sessions. */
export function usersConsoleRoutes(users: UserAdministration): Route[] {
  const noUser = (id: number) => refuse("user.none", { id });
  const noSession = (id: number) => refuse("session.none", { id });

  async function forget(id: number, what: "userinfo" | "phone"): Promise<void> {
    if (!(await users.forget(id, what))) throw noUser(id);
  }

  return [
    route(listUsers, async ({ query }) => ({ data: await users.page(query) })),
    route(getUser, async ({ params: { id } }) => {
      const data = await users.get(id);
      if (!data) throw noUser(id);
      return { data };
    }),
    route(forgetUserInfo, ({ params: { id } }) => forget(id, "userinfo")),
    route(forgetPhoneNumber, ({ params: { id } }) => forget(id, "phone")),
    route(changeSession, async ({ params: { id }, body: { expires_in } }) => {
      const data = await users.expireIn(id, expires_in);
      if (!data) throw noSession(id);
      return { data };
    }),
    route(revokeSession, async ({ params: { id } }) => {
      if (!(await users.revoke(id))) throw noSession(id);
    }),
  ];
}
