/**
 * The login-state protocol (spec: Login conditions) for all routes that require it. Implementations of SessionLookup
 * store the sessions.
 */
import type { IncomingMessage } from "node:http";
import type { StatusPackage } from "../contract/app/status-package.ts";
import type { Settings } from "../contract/process/settings.ts";
import { loginRequired, refuse } from "./http-error.ts";

/** A session, for routes. */
export interface Session {
  readonly id: number;
  readonly userId: number;
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether user info or the unionid is known. */
  readonly hasUserinfo: boolean;
  readonly hasPhone: boolean;
  /** As sent by the client; only the status package may contain it. */
  readonly token: string;
}

export interface SessionLookup {
  /** The session of a token, expired or not; undefined when the token is unknown or ended. */
  find(token: string): Promise<Session | undefined>;
}

export interface LoginPolicy {
  readonly requireUserinfo: boolean;
  readonly phoneIsIdentity: boolean;
}

export const loginPolicyOf = ({ require_userinfo, phone_is_identity }: Settings): LoginPolicy => ({
  requireUserinfo: require_userinfo,
  phoneIsIdentity: phone_is_identity,
});

/**
 * Reads the token of a request: `Authorization: Bearer` or `X-Access-Token` (our choice; the spec shows no transport).
 * @throws HttpError 400 for a token in the query, which logs and histories would store.
 */
export function tokenOf(req: IncomingMessage, query: Readonly<Record<string, unknown>>): string | undefined {
  if ("access_token" in query || "token" in query)
    throw refuse("query.token", undefined, { field: "access_token" in query ? "access_token" : "token" });
  const bearer = /^Bearer +([\w\-.~+/]+=*)$/i.exec(req.headers.authorization ?? "")?.[1];
  const header = req.headers["x-access-token"];
  return bearer ?? (typeof header === "string" && header !== "" ? header : undefined);
}

/** The first missing step of the login after the token: user info, then phone. */
export function missingStep(
  { hasUserinfo, hasPhone }: Pick<Session, "hasUserinfo" | "hasPhone">,
  policy: LoginPolicy,
): "getUserInfo" | "getPhoneNumber" | undefined {
  if (policy.requireUserinfo && !hasUserinfo) return "getUserInfo";
  return policy.phoneIsIdentity && !hasPhone ? "getPhoneNumber" : undefined;
}

/** @throws HttpError 401 whose WWW-Authenticate names the first missing step. */
export function requireCompleteLogin(session: Session, policy: LoginPolicy): void {
  const step = missingStep(session, policy);
  if (step) throw loginRequired(step);
}

/** The user's public id; empty until the user is identified (spec: Status package fields 5). */
export const uidOf = (session: Session, policy: LoginPolicy) =>
  policy.phoneIsIdentity && !session.hasPhone ? "" : `u${String(session.userId)}`;

/** The session after its end, for example by a logout. Its package reports that nobody is logged in. */
export const ended = (session: Session): Session => ({ ...session, expiresAt: 0 });

/** After the end of a session, the package has only its token, by which the client recognizes it. */
export function statusPackage(session: Session, policy: LoginPolicy, now: number): StatusPackage {
  const isOn = session.expiresAt > now;
  return {
    access_token: session.token,
    expires_in: isOn ? Math.floor((session.expiresAt - now) / 1000) : 0,
    uid: isOn ? uidOf(session, policy) : "",
    ...(policy.requireUserinfo && { has_userinfo: isOn && session.hasUserinfo }),
    ...(policy.phoneIsIdentity && { has_phone: isOn && session.hasPhone }),
  };
}
