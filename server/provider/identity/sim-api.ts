/** The simulator's control routes for people: by them a client simulator or a test acts as the platform's client. */
import { Router, type Request } from "express";
import { z } from "zod";
import {
  simCredentialsSchema,
  simUserName,
  type simPhoneNumberSchema,
  type simUserInfoSchema,
} from "../../contract/provider.ts";
import { badRequest } from "../../http/http-error.ts";
import { readBody } from "../../http/read-body.ts";
import type { Consent } from "./identity-tables.ts";
import { encryptOpenData, newSessionKey, signRawData, watermark } from "./open-data.ts";
import type { SimUser, SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

/** A session key lives this long from the login that made it (our choice; the provider publishes none). */
const sessionKeyTtlMs = 3 * 24 * 3600 * 1000;

const consent = z.enum(["allowed", "denied"]).nullable();
const changeSchema = z.strictObject({
  nick_name: z.string().max(64).optional(),
  avatar_url: z.string().max(512).optional(),
  phone_number: z
    .string()
    .regex(/^\+?\d{5,20}$/, "digits only")
    .optional(),
  country_code: z
    .string()
    .regex(/^\d{1,4}$/)
    .optional(),
  userinfo_consent: consent.optional(),
  phone_consent: consent.optional(),
  follows_account: z.boolean().optional(),
  blocked: z.boolean().optional(),
});

/**
 * The person's answer to a button-triggered call: a prompt the first time and again after a rejection, none once allowed
 * (spec: Permission rules).
 */
function answerPrompt(consent: Consent, denies: boolean): { prompted: boolean; allowed: boolean } {
  if (consent === "allowed") return { prompted: false, allowed: true };
  return { prompted: true, allowed: !denies };
}

export function simApi({ users, now }: { users: SimUsers; now: () => number }): Router {
  const router = Router();
  const denies = (req: Request) => /[?&]deny(?:[=&]|$)/.test(req.url);

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

  router.get("/users/:name", async (req, res) => void res.json(shown(await userOf(req))));
  router.patch("/users/:name", async (req, res) => {
    const user = await userOf(req);
    const parsed = changeSchema.safeParse(await readBody(req, "any", changeSchema));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw badRequest(
        "invalid_request",
        `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`,
        issue?.path.join("."),
      );
    }
    const { follows_account, blocked, ...rest } = parsed.data;
    const change = Object.fromEntries(
      Object.entries({
        ...rest,
        follows_account: follows_account && Number(follows_account),
        blocked: blocked && Number(blocked),
      }).filter(([, value]) => value !== undefined),
    );
    res.json(shown(Object.keys(change).length === 0 ? user : await users.update(user.id, change)));
  });

  router.post("/users/:name/login", async (req, res) => {
    const user = await userOf(req);
    if (now() - user.session_key_at > sessionKeyTtlMs)
      await users.update(user.id, { session_key: newSessionKey(), session_key_at: now() });
    res.json({ code: await users.issueCode(user.id, "login"), errMsg: "login:ok" });
  });

  router.post("/users/:name/user-info", async (req, res) => {
    const user = await userOf(req);
    const { prompted, allowed } = answerPrompt(user.userinfo_consent, denies(req));
    if (prompted) await users.update(user.id, { userinfo_consent: allowed ? "allowed" : "denied" });
    if (!allowed) {
      res.json({ prompted, errMsg: "getUserInfo:fail auth deny" } satisfies z.input<typeof simUserInfoSchema>);
      return;
    }
    const userInfo = {
      nickName: user.nick_name,
      gender: 0,
      language: "zh_CN",
      city: "",
      province: "",
      country: "",
      avatarUrl: user.avatar_url,
    };
    const rawData = JSON.stringify(userInfo);
    const secret = { openId: user.openid, ...userInfo, unionId: user.unionid, ...watermark(testApp.app_id, now()) };
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
    const user = await userOf(req);
    const { prompted, allowed } = answerPrompt(user.phone_consent, denies(req));
    if (prompted) await users.update(user.id, { phone_consent: allowed ? "allowed" : "denied" });
    if (!allowed) {
      res.json({ prompted, errMsg: "getPhoneNumber:fail user deny" } satisfies z.input<typeof simPhoneNumberSchema>);
      return;
    }
    const phone = {
      phoneNumber: user.phone_number,
      purePhoneNumber: user.phone_number,
      countryCode: user.country_code,
    };
    res.json({
      prompted,
      errMsg: "getPhoneNumber:ok",
      code: await users.issueCode(user.id, "phone"),
      ...encryptOpenData({ ...phone, ...watermark(testApp.app_id, now()) }, user.session_key),
    } satisfies z.input<typeof simPhoneNumberSchema>);
  });

  return router;
}

/** A simulated person as the control routes show it. Its ids are simulated, not secrets. */
const shown = (user: SimUser) => ({
  name: user.name,
  openid: user.openid,
  unionid: user.unionid,
  nick_name: user.nick_name,
  avatar_url: user.avatar_url,
  phone_number: user.phone_number,
  country_code: user.country_code,
  userinfo_consent: user.userinfo_consent,
  phone_consent: user.phone_consent,
  follows_account: user.follows_account === 1,
  blocked: user.blocked === 1,
});
