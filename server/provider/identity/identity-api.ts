/** The provider's identity API as servers call it: same paths, same fields, same refusals in the same order. */
import { timingSafeEqual } from "node:crypto";
import { Router, type NextFunction, type Request, type Response } from "express";
import { z } from "zod";
import { parseForm } from "../../http/parse-form.ts";
import { readBytes } from "../../http/read-body.ts";
import type { Credentials } from "./credentials.ts";
import { signSession, watermark } from "./open-data.ts";
import { ProviderError } from "./provider-error.ts";
import type { SimUser, SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

interface Deps {
  readonly users: SimUsers;
  readonly credentials: Credentials;
  readonly now: () => number;
}

/** Calls of one user per minute before the provider says to slow down. */
const minuteQuota = 100;

const queryOf = (req: Request) => parseForm(req.url.split(/\?(.*)/s)[1] ?? "", "query");

/** @throws ProviderError in the documented order: what is missing before what is wrong. */
function checkApp(appid: string | undefined, secret: string | undefined): void {
  if (!appid) throw new ProviderError(41002);
  if (!secret) throw new ProviderError(41004);
}
function checkAppValues(appid: string | undefined, secret: string | undefined): void {
  if (appid !== testApp.app_id) throw new ProviderError(40013);
  if (secret !== testApp.app_secret) throw new ProviderError(40125);
}

async function jsonBody<Schema extends z.ZodType>(req: Request, schema: Schema): Promise<z.output<Schema>> {
  const bytes = await readBytes(req);
  if (bytes.length === 0) throw new ProviderError(44002);
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw new ProviderError(47001);
  }
}

export function identityApi({ users, credentials, now }: Deps): Router {
  const router = Router();
  const calls = new Map<number, { minute: number; count: number }>();

  function checkQuota(user: SimUser): void {
    const minute = Math.floor(now() / 60_000);
    const seen = calls.get(user.id);
    const count = seen?.minute === minute ? seen.count + 1 : 1;
    calls.set(user.id, { minute, count });
    if (count > minuteQuota) throw new ProviderError(45011);
  }

  async function checkCredential(token: string | undefined): Promise<void> {
    if (!token) throw new ProviderError(41001);
    const state = await credentials.check(token);
    if (state !== "valid") throw new ProviderError(state === "expired" ? 42001 : 40001);
  }

  async function redeem(code: string, kind: "login" | "phone"): Promise<SimUser> {
    const redeemed = await users.redeemCode(code, kind);
    if (redeemed === "used") throw new ProviderError(kind === "login" ? 40163 : 40029);
    if (redeemed === "unknown") throw new ProviderError(40029);
    return redeemed.user;
  }

  router.get("/sns/jscode2session", async (req, res) => {
    const { appid, secret, js_code, grant_type } = queryOf(req);
    checkApp(appid, secret);
    if (!js_code) throw new ProviderError(41008);
    if (grant_type !== "authorization_code") throw new ProviderError(40002);
    checkAppValues(appid, secret);
    const user = await redeem(js_code, "login");
    checkQuota(user);
    if (user.blocked === 1) throw new ProviderError(40226);
    const knowsUnion = user.userinfo_consent === "allowed" || user.follows_account === 1;
    res.json({
      openid: user.openid,
      session_key: user.session_key,
      ...(knowsUnion && { unionid: user.unionid }),
      errcode: 0,
      errmsg: "ok",
    });
  });

  router.get("/cgi-bin/token", async (req, res) => {
    const { appid, secret, grant_type } = queryOf(req);
    checkApp(appid, secret);
    if (grant_type !== "client_credential") throw new ProviderError(40002);
    checkAppValues(appid, secret);
    res.json(await credentials.issue());
  });

  router.all("/cgi-bin/stable_token", requirePost, async (req, res) => {
    const body = await jsonBody(
      req,
      z.looseObject({
        appid: z.string().optional(),
        secret: z.string().optional(),
        grant_type: z.string().optional(),
        force_refresh: z.boolean().default(false),
      }),
    );
    checkApp(body.appid, body.secret);
    if (body.grant_type !== "client_credential") throw new ProviderError(40002);
    checkAppValues(body.appid, body.secret);
    res.json(await credentials.stable(body.force_refresh));
  });

  router.all("/wxa/business/getuserphonenumber", requirePost, async (req, res) => {
    await checkCredential(queryOf(req)["access_token"]);
    const { code, openid } = await jsonBody(
      req,
      z.looseObject({ code: z.string().default(""), openid: z.string().optional() }),
    );
    const user = await redeem(code, "phone");
    if (openid !== undefined && openid !== user.openid) throw new ProviderError(40003);
    const phone = {
      phoneNumber: user.phone_number,
      purePhoneNumber: user.phone_number,
      countryCode: user.country_code,
    };
    res.json({ errcode: 0, errmsg: "ok", phone_info: { ...phone, ...watermark(testApp.app_id, now()) } });
  });

  router.get("/wxa/checksession", async (req, res) => {
    const { access_token, openid, signature, sig_method } = queryOf(req);
    await checkCredential(access_token);
    const user = openid === undefined ? undefined : await users.find({ openid });
    if (!user) throw new ProviderError(40003);
    const expected = Buffer.from(signSession(user.session_key));
    const given = Buffer.from(signature ?? "");
    if (sig_method !== "hmac_sha256" || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ProviderError(87009);
    res.json({ errcode: 0, errmsg: "ok" });
  });

  router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof ProviderError) res.json(error);
    else next(error);
  });
  return router;
}

function requirePost(req: Request, _res: Response, next: NextFunction): void {
  if (req.method !== "POST") throw new ProviderError(43002);
  next();
}
