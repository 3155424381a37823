/** The simulator's control routes for people, through which a test or simulator acts as the platform's client. */
import { Router } from "express";
import type { Updateable } from "kysely";
import type { z } from "zod";
import {
  simSettingsChangeSchema,
  simUserChangeSchema,
  type simLoginSchema,
  type simUserSchema,
} from "../../contract/provider/provider.ts";
import { checkedBody } from "../../http/formats/checked-body.ts";
import type { SimUser, SimUsersTable } from "./identity-tables.ts";
import { newSessionKey } from "./open-data.ts";
import { permissionsApi } from "./permissions-api.ts";
import { queryOf, userViewOf, userOf } from "./sim-request.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import type { SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

interface Deps {
  readonly users: SimUsers;
  readonly settings: SimSettingsStore;
  readonly now: () => number;
}

export function simApi({ users, settings, now }: Deps): Router {
  const router = Router();

  router.get("/settings", async (_req, res) => void res.json(await settings.get()));
  router.patch("/settings", async (req, res) => {
    const change = await checkedBody(req, simSettingsChangeSchema);
    res.json(await settings.change(withoutUndefined(change)));
  });

  router.get("/users", async (_req, res) => void res.json((await users.list()).map(view)));
  router.get("/users/:name", async (req, res) => void res.json(view(await userViewOf(req, users))));
  router.patch("/users/:name", async (req, res) => {
    const user = await userOf(req, users);
    const change = toRow(await checkedBody(req, simUserChangeSchema));
    res.json(view(Object.keys(change).length === 0 ? user : await users.update(user.id, change)));
  });

  router.post("/users/:name/login", async (req, res) => {
    const user = await users.touch(await userOf(req, users), true);
    const code = await users.issueCode(user.id, "login", queryOf(req).get("app_id") ?? testApp.app_id);
    res.json({ code, errMsg: "login:ok" } satisfies z.input<typeof simLoginSchema>);
  });

  /** The platform may create a new key at any time, which invalidates data encrypted under the old one. */
  router.post("/users/:name/session-key-rotations", async (req, res) => {
    const { id } = await userOf(req, users);
    res.json(view(await users.update(id, { session_key: newSessionKey(), session_key_at: now() })));
  });

  router.use(permissionsApi({ users, settings, now }));
  return router;
}

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

const view = (user: Omit<SimUser, "id">): z.output<typeof simUserSchema> => ({
  name: user.name,
  openid: user.openid,
  unionid: user.unionid,
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
