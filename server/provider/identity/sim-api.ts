/** The simulator's control routes for people: by them a client simulator or a test acts as the platform's client. */
import { Router, type Request } from "express";
import type { Updateable } from "kysely";
import type { z } from "zod";
import {
  simCredentialsSchema,
  simSettingsChangeSchema,
  simUserChangeSchema,
  simUserName,
  type simLoginSchema,
  type simPhoneNumberSchema,
  type simResetSchema,
  type simUserInfoSchema,
  type simUserSchema,
} from "../../contract/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import { readBody } from "../../http/read-body.ts";
import type { Consent, SimUser, SimUsersTable } from "./identity-tables.ts";
import { encryptOpenData, newSessionKey, phoneInfo, publicInfo, signRawData, watermark } from "./open-data.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import type { SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

interface Deps {
  readonly users: SimUsers;
  readonly settings: SimSettingsStore;
  readonly now: () => number;
}

/**
 * The person's answer to a button-triggered call: a prompt the first time and again after a rejection, none once allowed
 * (spec: Permission rules).
 */
function answerPrompt(consent: Consent, denies: boolean): { prompted: boolean; allowed: boolean } {
  if (consent === "allowed") return { prompted: false, allowed: true };
  return { prompted: true, allowed: !denies };
}

const queryOf = (req: Request) => new URLSearchParams(req.url.split(/\?(.*)/s)[1] ?? "");
const denies = (req: Request) => queryOf(req).has("deny");

/** @throws HttpError 400 naming the field at fault. */
async function bodyOf<Schema extends z.ZodType>(req: Request, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readBody(req, "any", schema));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path.join(".");
  throw badRequest("invalid_request", `${field ?? "body"}: ${issue?.message ?? "is not valid"}`, field);
}

export function simApi({ users, settings, now }: Deps): Router {
  const router = Router();

  async function userOf(req: Request<{ name: string }>): Promise<SimUser> {
    const name = simUserName.safeParse(req.params.name);
    if (!name.success)
      throw badRequest(
        "bad_name",
        `The user's name may hold ${name.error.issues[0]?.message ?? "other characters"}.`,
        "name",
      );
    return users.get(name.data);
  }

  router.get("/credentials", (_req, res) => void res.json(simCredentialsSchema.parse(testApp)));

  router.get("/settings", async (_req, res) => void res.json(await settings.get()));
  router.patch("/settings", async (req, res) => {
    const change = await bodyOf(req, simSettingsChangeSchema);
    res.json(await settings.change(withoutUndefined(change)));
  });

  /** Everything is as at the first start: nobody has logged in, nothing has been set. */
  router.delete("/state", async (_req, res) => {
    await settings.clear();
    res.json({ users: await users.clear() } satisfies z.input<typeof simResetSchema>);
  });

  router.get("/users", async (_req, res) => void res.json((await users.list()).map(shown)));
  router.get("/users/:name", async (req, res) => void res.json(shown(await userOf(req))));
  router.patch("/users/:name", async (req, res) => {
    const user = await userOf(req);
    const change = toRow(await bodyOf(req, simUserChangeSchema));
    res.json(shown(Object.keys(change).length === 0 ? user : await users.update(user.id, change)));
  });

  router.post("/users/:name/login", async (req, res) => {
    const user = await users.touch(await userOf(req), true);
    const code = await users.issueCode(user.id, "login", queryOf(req).get("app_id") ?? testApp.app_id);
    res.json({ code, errMsg: "login:ok" } satisfies z.input<typeof simLoginSchema>);
  });

  /** The platform makes a new key at any time; what was encrypted under the old one is then worthless. */
  router.post("/users/:name/session-key-rotations", async (req, res) => {
    const { id } = await userOf(req);
    res.json(shown(await users.update(id, { session_key: newSessionKey(), session_key_at: now() })));
  });

  router.post("/users/:name/user-info", async (req, res) => {
    const asked = await userOf(req);
    const { prompted, allowed } = answerPrompt(asked.userinfo_consent, denies(req));
    if (prompted) await users.update(asked.id, { userinfo_consent: allowed ? "allowed" : "denied" });
    if (!allowed) {
      res.json({ prompted, errMsg: "getUserInfo:fail auth deny" } satisfies z.input<typeof simUserInfoSchema>);
      return;
    }
    const user = await users.touch(asked);
    const userInfo = publicInfo(user);
    const rawData = JSON.stringify(userInfo);
    const secret = {
      openId: user.openid,
      ...userInfo,
      ...(user.unionid_mode !== "unbound" && { unionId: user.unionid }),
      ...watermark(testApp.app_id, now()),
    };
    res.json({
      prompted,
      errMsg: "getUserInfo:ok",
      userInfo,
      rawData,
      signature: signRawData(rawData, user.session_key),
      ...encryptOpenData(secret, user.session_key),
    } satisfies z.input<typeof simUserInfoSchema>);
  });

  router.post("/users/:name/phone-number", async (req, res) => {
    const asked = await userOf(req);
    const { prompted, allowed } = answerPrompt(asked.phone_consent, denies(req));
    if (prompted) await users.update(asked.id, { phone_consent: allowed ? "allowed" : "denied" });
    if (!allowed) {
      res.json({ prompted, errMsg: "getPhoneNumber:fail user deny" } satisfies z.input<typeof simPhoneNumberSchema>);
      return;
    }
    const user = await users.touch(asked);
    const secret = { ...phoneInfo(user, await settings.get()), ...watermark(testApp.app_id, now()) };
    res.json({
      prompted,
      errMsg: "getPhoneNumber:ok",
      code: await users.issueCode(user.id, "phone"),
      ...encryptOpenData(secret, user.session_key),
    } satisfies z.input<typeof simPhoneNumberSchema>);
  });

  return router;
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Only the members that were sent. */
const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Given<T>;

/** SQLite knows no booleans. */
const toRow = (change: z.output<typeof simUserChangeSchema>): Updateable<SimUsersTable> =>
  Object.fromEntries(
    Object.entries(withoutUndefined(change)).map(([name, value]) => [
      name,
      typeof value === "boolean" ? Number(value) : value,
    ]),
  );

const shown = (user: SimUser): z.output<typeof simUserSchema> => ({
  name: user.name,
  openid: user.openid,
  unionid: user.unionid,
  nick_name: user.nick_name,
  avatar_url: user.avatar_url,
  phone_number: user.phone_number,
  country_code: user.country_code,
  userinfo_consent: user.userinfo_consent,
  phone_consent: user.phone_consent,
  unionid_mode: user.unionid_mode,
  follows_account: user.follows_account === 1,
  uses_other_app: user.uses_other_app === 1,
  blocked: user.blocked === 1,
});
