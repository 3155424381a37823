/**
 * The client of the identity provider: code2Session and the phone call. By default it calls the simulator; another base
 * URL makes it call the real provider (contract: login, Calls).
 */
import { z } from "zod";
import type { Settings } from "../../contract/process/settings.ts";
import { type HttpError, loginRequired, refuse } from "../../http/http-error.ts";
import { callService } from "../../http/outgoing/call-service.ts";
import { hearthAgent } from "../../http/outgoing/agent-name.ts";
import { afterRunning } from "../../time/after-running.ts";

export type IdentityClient = ReturnType<typeof createIdentityClient>;

export interface IdentityClientOptions {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: string;
}

/** The provider named by the settings. The simulator replaces each part that they leave out. */
export const identityOptions = (
  settings: Pick<Settings, "identity_base_url" | "identity_app_id" | "identity_app_secret">,
  simulator: { url: string; credentials: { app_id: string; app_secret: string } },
): IdentityClientOptions => ({
  baseUrl: settings.identity_base_url ?? simulator.url,
  appId: settings.identity_app_id ?? simulator.credentials.app_id,
  appSecret: settings.identity_app_secret ?? simulator.credentials.app_secret,
});

const failureSchema = z.looseObject({ errcode: z.number().optional(), errmsg: z.string().optional() });
const sessionSchema = z.looseObject({
  openid: z.string().min(1),
  session_key: z.string().min(1),
  unionid: z.string().nullish(),
});
const credentialSchema = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() });
const phoneSchema = z.looseObject({
  phone_info: z.looseObject({
    purePhoneNumber: z.string().min(1),
    countryCode: z.union([z.string(), z.number()]).transform(String),
  }),
});

const timeoutMs = 5_000;
/** A credential with less time left than this is fetched anew. */
const renewBeforeMs = 300_000;
const credentialErrors = new Set([40001, 40014, 42001]);
const credentialsRefused = new Set([40013, 40125, 41002, 41004]);

export function createIdentityClient({ baseUrl, appId, appSecret }: IdentityClientOptions, now: () => number) {
  let credential: { token: string; until: number } | undefined;
  let renewal: Promise<string> | undefined;

  async function call(path: string, query: Record<string, string>, body?: unknown): Promise<unknown> {
    const late = new AbortController();
    const deadline = afterRunning(timeoutMs, () => late.abort());
    return callUntil(late.signal, path, query, body).finally(() => clearInterval(deadline));
  }

  async function callUntil(signal: AbortSignal, path: string, query: Record<string, string>, body: unknown) {
    const url = `${baseUrl}${path}?${new URLSearchParams(query).toString()}`;
    const headers = { "User-Agent": hearthAgent };
    const { status, text } = await callService(url, { signal, headers, body }).catch((cause: unknown) => {
      throw refuse("identity.silent", undefined, { retryAfter: 5, cause });
    });
    try {
      // The provider labels JSON as text/plain, so the content type is ignored.
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw refuse("identity.noJson", { status }, { retryAfter: 5, cause });
    }
  }

  /** Repeats a call that the provider answers with "system busy" (-1), at most twice. */
  async function callPatiently(path: string, query: Record<string, string>, body?: unknown) {
    for (let attempt = 0; ; attempt++) {
      const answer = await call(path, query, body);
      const { errcode = 0, errmsg = "" } = failureSchema.catch({}).parse(answer);
      if (errcode !== -1 || attempt === 2) return { answer, errcode, errmsg };
    }
  }

  async function renew(): Promise<string> {
    const body = { grant_type: "client_credential", appid: appId, secret: appSecret };
    const { answer, errcode } = await callPatiently("/cgi-bin/stable_token", {}, body);
    const fresh = credentialSchema.safeParse(answer);
    if (!fresh.success) throw refusal(errcode, "credential");
    credential = { token: fresh.data.access_token, until: now() + fresh.data.expires_in * 1000 };
    return credential.token;
  }

  async function credentialToken(): Promise<string> {
    if (credential && credential.until - renewBeforeMs > now()) return credential.token;
    renewal ??= renew().finally(() => (renewal = undefined));
    return renewal;
  }

  return {
    /** @throws HttpError 401 for an invalid code, 403 for a blocked user, 503 when the provider does not answer. */
    async codeToSession(code: string) {
      const { answer, errcode } = await callPatiently("/sns/jscode2session", {
        appid: appId,
        secret: appSecret,
        js_code: code,
        grant_type: "authorization_code",
      });
      const session = errcode === 0 ? sessionSchema.safeParse(answer) : undefined;
      if (!session?.success) throw refusal(errcode, "login");
      const { openid, session_key: sessionKey, unionid } = session.data;
      return { openid, sessionKey, unionid: unionid || undefined };
    },

    /**
     * Exchanges a code of this person for the phone number.
     * @throws HttpError 401 getPhoneNumber for an invalid code, 403 for another person's, 503 when the provider does not
     *   answer.
     */
    async phoneNumber(code: string, openid: string): Promise<{ phoneNumber: string; countryCode: string }> {
      for (let attempt = 0; ; attempt++) {
        const { answer, errcode } = await callPatiently(
          "/wxa/business/getuserphonenumber",
          { access_token: await credentialToken() },
          { code, openid },
        );
        const phone = errcode === 0 ? phoneSchema.safeParse(answer) : undefined;
        if (phone?.success)
          return { phoneNumber: phone.data.phone_info.purePhoneNumber, countryCode: phone.data.phone_info.countryCode };
        if (!credentialErrors.has(errcode) || attempt === 1) throw refusal(errcode, "phone");
        credential = undefined;
      }
    },
  };
}

/** The client's error for a refusal of the provider. The log gets the errcode through `cause`, never the errmsg. */
function refusal(errcode: number, step: "login" | "phone" | "credential"): HttpError {
  const cause = new Error(`identity platform: errcode ${String(errcode)} at ${step}`);
  if (errcode === 41008) return refuse("code.missing", undefined, { field: "code" });
  if (errcode === 40029 || errcode === 40163) {
    return step === "phone" ? loginRequired("getPhoneNumber", "code.phone") : loginRequired("Bearer", "code.login");
  }
  if (errcode === 40003 && step === "phone") return refuse("phone.otherUser");
  if (errcode === 40226) return refuse("identity.blocked");
  if (errcode === 45011) return refuse("identity.minute", undefined, { retryAfter: 60, cause });
  if (errcode === 45009) return refuse("identity.day", undefined, { retryAfter: 3_600, cause });
  if (errcode === -1 || errcode === 0 || credentialErrors.has(errcode) || errcode === 41001)
    return refuse("identity.odd", undefined, { retryAfter: 5, cause });
  return refuse(credentialsRefused.has(errcode) ? "identity.secret" : "identity.call", undefined, { cause });
}
