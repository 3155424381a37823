/** The simulator's control routes for people, through which a test or simulator acts as the platform's client. */
import type { Updateable } from "kysely";
import type { z } from "zod";
import type { simUserChangeSchema, simUserSchema } from "../../contract/provider/provider.ts";
import { simLogin } from "../../contract/provider/sim-client.ts";
import {
  changeSimPerson,
  deleteSimPerson,
  getSimPerson,
  listSimPeople,
  rotateSimSessionKey,
} from "../../contract/provider/sim-people.ts";
import { changeSimSettings, getSimSettings } from "../../contract/provider/sim-platform.ts";
import { notFound } from "../../http/http-error.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { route, type Route } from "../../http/route.ts";
import type { SimUser, SimUsersTable } from "./identity-tables.ts";
import { idOfSessionKey, newSessionKey } from "./open-data.ts";
import { permissionRoutes } from "./permissions-api.ts";
import { userNamed, userViewOf } from "./sim-request.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import type { SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

interface Deps {
  readonly users: SimUsers;
  readonly settings: SimSettingsStore;
  readonly now: () => number;
}

export const simRoutes = ({ users, settings, now }: Deps): Route[] => {
  const view = (user: Omit<SimUser, "id">): z.output<typeof simUserSchema> => ({
    name: user.name,
    openid: user.openid,
    unionid: user.unionid,
    session_key_id: "id" in user && !users.keyExpired(user) ? idOfSessionKey(user.session_key) : null,
    nick_name: user.nick_name,
    avatar_url: user.avatar_url,
    phone_number: user.phone_number,
    country_code: user.country_code,
    latitude: user.latitude,
    longitude: user.longitude,
    unionid_mode: user.unionid_mode,
    follows_account: user.follows_account === 1,
    uses_other_app: user.uses_other_app === 1,
    blocked: user.blocked === 1,
  });
  return [
    route(getSimSettings, async () => ({ data: settings.current() })),
    route(changeSimSettings, async ({ body }) => ({ data: await settings.change(withoutUndefined(body)) })),

    route(listSimPeople, async () => ({ data: (await users.list()).map(view) })),
    route(getSimPerson, async ({ params: { name } }) => ({ data: view(await userViewOf(name, users)) })),
    route(changeSimPerson, async ({ params: { name }, body }) => {
      const user = await userNamed(name, users);
      const change = toRow(body);
      return { data: view(Object.keys(change).length === 0 ? user : await users.update(user.id, change)) };
    }),

    route(deleteSimPerson, async ({ params: { name } }) => {
      if (!(await users.remove(name))) throw notFound(`User ${name} does not exist.`);
    }),

    route(simLogin, async ({ params: { name }, query: { app_id = testApp.app_id } }, { res }) => {
      notesOf(res).person = name;
      const user = await users.touch(await userNamed(name, users), true);
      return { data: { code: await users.issueCode(user.id, "login", app_id), errMsg: "login:ok" as const } };
    }),

    route(rotateSimSessionKey, async ({ params: { name } }) => {
      const { id } = await userNamed(name, users);
      return { data: view(await users.update(id, { session_key: newSessionKey(), session_key_at: now() })) };
    }),

    ...permissionRoutes({ users, settings, now }),
  ];
};

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Only the members that the request contains. */
const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Given<T>;

/** SQLite has no booleans. */
const toRow = (change: z.output<typeof simUserChangeSchema>): Updateable<SimUsersTable> =>
  Object.fromEntries(
    Object.entries(withoutUndefined(change)).map(([name, value]) => [
      name,
      typeof value === "boolean" ? Number(value) : value,
    ]),
  );
