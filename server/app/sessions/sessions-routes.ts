import {
  createPhoneNumber,
  createSession,
  createUserInfo,
  deleteCurrentSession,
  getCurrentSession,
  getMyPhoneNumber,
} from "../../contract/app/sessions.ts";
import type { IncomingMessage } from "node:http";
import { refuse } from "../../http/http-error.ts";
import { route, sessionOf, type Route } from "../../http/route.ts";
import { ended, type Session } from "../../http/login.ts";
import type { IdentityClient } from "./identity-client.ts";
import type { SessionStore } from "./session-store.ts";
import type { SimulatedPeople } from "./simulated-people.ts";
import type { UserProfile } from "./user-profile.ts";

interface Deps {
  readonly store: SessionStore;
  readonly profile: UserProfile;
  readonly identity: IdentityClient;
  /** Undefined where a real provider logs users in. */
  readonly people: Pick<SimulatedPeople, "learn"> | undefined;
  /** The user named by HTTP Basic; undefined while the setting basic_auth is off. */
  readonly basicUser: ((req: IncomingMessage) => Promise<number | undefined>) | undefined;
}

/** The operations of the login-state protocol (spec: Login-state protocol). */
export function sessionsRoutes({ store, profile, identity, people, basicUser }: Deps): Route[] {
  const iso = (time: number) => new Date(time).toISOString();
  const refreshed = async (session: Session) => (await store.find(session.token)) ?? ended(session);

  async function codeUser(code: string | undefined): Promise<number> {
    if (code === undefined) throw refuse("code.needed", undefined, { field: "code" });
    const login = await identity.codeToSession(code);
    await people?.learn(login.openid);
    return store.recordLogin(login);
  }

  return [
    route(createSession, async ({ body }, { req }) => {
      const userId = (await basicUser?.(req)) ?? (await codeUser(body.code));
      const session = await store.create(userId);
      if (!session) throw refuse("user.gone");
      return { session, headers: { Location: "/api/sessions/current" } };
    }),

    route(getCurrentSession, (_input, context) => {
      const { createdAt, expiresAt } = sessionOf(context);
      return { data: { created_at: iso(createdAt), expires_at: iso(expiresAt) } };
    }),

    route(deleteCurrentSession, async (_input, context) => {
      const session = sessionOf(context);
      await store.end(session.id);
      return { session: ended(session) };
    }),

    route(createUserInfo, async ({ body }, context) => {
      const session = sessionOf(context);
      const data = await profile.storeUserInfo(session.userId, body);
      return { data, session: await refreshed(session) };
    }),

    route(createPhoneNumber, async ({ body }, context) => {
      const session = sessionOf(context);
      await profile.storePhoneNumber(session.userId, body);
      return { session: await refreshed(session) };
    }),

    route(getMyPhoneNumber, async (_input, context) => {
      const phone = await profile.phoneNumber(sessionOf(context).userId);
      if (!phone) throw refuse("phone.none");
      return { data: phone, headers: { "Cache-Control": "no-store" } }; // spec: Status package 2
    }),
  ];
}
