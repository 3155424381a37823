/** The provider's identity API for servers: same paths, same fields, same refusals in the same order. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { z } from "zod";
import type { IdentityCall } from "../../contract/provider/sim-identity-faults.ts";
import { isHostRefusal } from "../../http/conventions/allowed-hosts.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import { HttpError } from "../../http/http-error.ts";
import { pathOf, type Middleware, type Refuse } from "../../http/middleware.ts";
import { sendBody } from "../../http/conventions/negotiate.ts";
import { sendJson, sendText } from "../../http/conventions/send-json.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import type { CallQuota } from "./call-quota.ts";
import type { Credentials } from "./credentials.ts";
import type { SimUser } from "./identity-tables.ts";
import { newSessionKey, phoneInfo, signSession, watermark } from "./open-data.ts";
import { byPost, callQuery, checkCredential, jsonBody, serveCalls, type PlatformCall } from "./call-input.ts";
import { ProviderError } from "./provider-error.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import type { SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

/** Answers a call by `perform`, unless a fault keeps it from that. */
export type IdentityFaultsPort = (
  call: IdentityCall,
  res: ServerResponse,
  perform: () => Promise<void>,
) => Promise<void>;

interface Deps {
  readonly users: SimUsers;
  readonly credentials: Credentials;
  readonly settings: SimSettingsStore;
  readonly quota: CallQuota;
  readonly faults: IdentityFaultsPort;
  readonly now: () => number;
}

interface AppClaim {
  readonly appid: string;
  readonly secret: string;
}
function requireApp({ appid, secret }: AppClaim): void {
  if (appid === "") throw new ProviderError(41002);
  if (secret === "") throw new ProviderError(41004);
}
function checkApp({ appid, secret }: AppClaim): void {
  if (appid !== testApp.app_id) throw new ProviderError(40013);
  if (secret !== testApp.app_secret) throw new ProviderError(40125);
}

export const stableTokenBody = z.looseObject({
  appid: z.string().default(""),
  secret: z.string().default(""),
  grant_type: z.string().default(""),
  force_refresh: z.boolean().default(false),
});
export const phoneNumberBody = z.looseObject({ code: z.string().default(""), openid: z.string().optional() });

/** A session's key and ids for a login code. */
const codeToSession =
  ({ users, settings, quota }: Deps): PlatformCall =>
  async (req, res) => {
    const query = callQuery(req);
    const claim = { appid: query("appid"), secret: query("secret") };
    const code = query("js_code");
    requireApp(claim);
    if (code === "") throw new ProviderError(41008);
    if (query("grant_type") !== "authorization_code") throw new ProviderError(40002);
    checkApp(claim);
    const user = await users.codeOwner(code, "login");
    if (user) quota.count(user);
    if (user?.blocked === 1) throw new ProviderError(40226);
    const redeemed = await users.redeemCode(code, "login");
    if (redeemed === "used") throw new ProviderError(40163);
    if (redeemed === "unknown" || !user) throw new ProviderError(40029);
    notesOf(res).person = user.name;
    const { openid, session_key, unionid } = user;
    const session = { openid, session_key, ...(sharesUnionId(user) && { unionid }) };
    const type = settings.current().content_type_text_plain ? "text/plain" : "application/json";
    sendText(res, 200, `${type}; charset=utf-8`, JSON.stringify({ ...session, errcode: 0, errmsg: "ok" }));
  };

const token =
  ({ credentials }: Deps): PlatformCall =>
  async (req, res) => {
    const query = callQuery(req);
    const claim = { appid: query("appid"), secret: query("secret") };
    requireApp(claim);
    if (query("grant_type") !== "client_credential") throw new ProviderError(40002);
    checkApp(claim);
    sendJson(res, 200, await credentials.issue());
  };

const stableToken =
  ({ credentials }: Deps): PlatformCall =>
  async (req, res) => {
    const body = await jsonBody(req, stableTokenBody);
    requireApp(body);
    if (body.grant_type !== "client_credential") throw new ProviderError(40002);
    checkApp(body);
    sendJson(res, 200, await credentials.stable(body.force_refresh));
  };

const phoneNumber =
  (deps: Deps): PlatformCall =>
  async (req, res) => {
    const { users, settings, quota, now } = deps;
    await checkCredential(req, deps.credentials);
    const { code, openid } = await jsonBody(req, phoneNumberBody);
    const user = await users.codeOwner(code, "phone");
    if (!user) throw new ProviderError(40029);
    quota.count(user);
    if (openid !== undefined && openid !== user.openid) throw new ProviderError(40003);
    if ((await users.redeemCode(code, "phone")) !== "redeemed") throw new ProviderError(40029);
    notesOf(res).person = user.name;
    const phone = phoneInfo(user, settings.current());
    sendJson(res, 200, { errcode: 0, errmsg: "ok", phone_info: { ...phone, ...watermark(testApp.app_id, now()) } });
  };

/** The user whose session key the caller has proven to hold. */
async function provenUser(deps: Deps, req: IncomingMessage): Promise<SimUser> {
  const query = callQuery(req);
  await checkCredential(req, deps.credentials);
  const user = await deps.users.findByOpenId(query("openid"));
  if (!user) throw new ProviderError(40003);
  const expected = Buffer.from(signSession(user.session_key));
  const signature = Buffer.from(query("signature"));
  const matches = signature.length === expected.length && timingSafeEqual(signature, expected);
  if (query("sig_method") !== "hmac_sha256" || !matches || deps.users.keyExpired(user)) throw new ProviderError(87009);
  return user;
}

const checkSession =
  (deps: Deps): PlatformCall =>
  async (req, res) => {
    await provenUser(deps, req);
    sendJson(res, 200, { errcode: 0, errmsg: "ok" });
  };

const resetSessionKey =
  (deps: Deps): PlatformCall =>
  async (req, res) => {
    const { id } = await provenUser(deps, req);
    const change = { session_key: newSessionKey(), session_key_at: deps.now() };
    const { openid, session_key } = await deps.users.update(id, change);
    sendJson(res, 200, { errcode: 0, errmsg: "ok", openid, session_key });
  };

export function identityCalls(deps: Deps): Middleware {
  const faulty =
    (name: IdentityCall, call: PlatformCall): PlatformCall =>
    (req, res) =>
      deps.faults(name, res, () => call(req, res));

  // All methods: like the real one, it answers a POST with the error for a missing query.
  return serveCalls([
    ["/sns/jscode2session", faulty("jscode2session", codeToSession(deps))],
    ["/cgi-bin/token", faulty("token", token(deps))],
    ["/cgi-bin/stable_token", faulty("stable_token", byPost(stableToken(deps)))],
    ["/wxa/business/getuserphonenumber", faulty("getuserphonenumber", byPost(phoneNumber(deps)))],
    ["/wxa/checksession", byGet(faulty("checksession", checkSession(deps)))],
    ["/wxa/resetusersessionkey", byGet(faulty("resetusersessionkey", resetSessionKey(deps)))],
  ]);
}

/** @throws ProviderError 40066 for other methods, for which there is no such address */
const byGet =
  (call: PlatformCall): PlatformCall =>
  async (req, res) => {
    if (req.method !== "GET" && req.method !== "HEAD") throw new ProviderError(40066);
    await call(req, res);
  };

/**
 * Converts errors outside the control routes to the provider's form. Errors that are not the provider's (a refused
 * Host) go to `others`.
 */
export function providerRefusals(settings: Pick<SimSettingsStore, "current">, log: Logger, others: Refuse): Refuse {
  return (error, req, res) => {
    const refuse = (status: number, refusal: ProviderError) =>
      sendBody(req, res, status, refusal.toBody(settings.current().errmsg_rid), "json", { indent: 0, relaxed: true });
    if (res.headersSent || isHostRefusal(error)) return others(error, req, res);
    // Only an unknown address is not answered with 200 (our choice: a mistake in a base URL becomes visible).
    if (error instanceof ProviderError) return refuse(error.errcode === 40066 ? 404 : 200, error);
    const { status } = toHttpError(error);
    if (status === 400) return refuse(200, new ProviderError(47001));
    if (error instanceof HttpError) return others(error, req, res);
    log.error({ err: error, path: pathOf(req) }, "the simulator failed");
    refuse(status, new ProviderError(-1));
  };
}

/** The rules of the three modes. */
function sharesUnionId({ unionid_mode, userinfo_consent, follows_account, uses_other_app }: SimUser): boolean {
  if (unionid_mode !== "seed") return unionid_mode === "modern";
  return userinfo_consent === "allowed" || follows_account === 1 || uses_other_app === 1;
}
