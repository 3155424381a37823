import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { IdentityTables } from "./identity-tables.ts";

const lifetimeSeconds = 7200;
/** How long an old token goes on working when a new one is issued, and when a stable one is replaced. */
const overlapMs = 300_000;
const forcedRenewalPauseMs = 30_000;

export interface Credential {
  readonly access_token: string;
  readonly expires_in: number;
}

/** The server credentials of an app (`access_token` of the provider's own API, not a session token). */
export interface Credentials {
  /** A new token at each call. */
  issue(): Promise<Credential>;
  /** The same token until it is near its end; `force` ends it at once. */
  stable(force: boolean): Promise<Credential>;
  check(token: string): Promise<"valid" | "expired" | "invalid">;
}

export function createCredentials(db: Kysely<IdentityTables>, now: () => number): Credentials {
  let forcedAt = -Infinity;

  async function create(kind: "token" | "stable"): Promise<Credential> {
    const token = randomBytes(60).toString("base64url");
    await db
      .insertInto("sim_credentials")
      .values({ token, kind, expires_at: now() + lifetimeSeconds * 1000 })
      .execute();
    return { access_token: token, expires_in: lifetimeSeconds };
  }

  return {
    async issue() {
      await db
        .updateTable("sim_credentials")
        .set({ expires_at: now() + overlapMs })
        .where("kind", "=", "token")
        .where("expires_at", ">", now() + overlapMs)
        .execute();
      return create("token");
    },

    async stable(force) {
      const current = await db
        .selectFrom("sim_credentials")
        .selectAll()
        .where("kind", "=", "stable")
        .where("expires_at", ">", now() + overlapMs)
        .orderBy("expires_at", "desc")
        .executeTakeFirst();
      const mayForce = force && now() - forcedAt >= forcedRenewalPauseMs;
      if (current && !mayForce)
        return { access_token: current.token, expires_in: Math.floor((current.expires_at - now()) / 1000) };
      if (mayForce) {
        forcedAt = now();
        await db.deleteFrom("sim_credentials").where("kind", "=", "stable").execute();
      }
      return create("stable");
    },

    async check(token) {
      const row = await db
        .selectFrom("sim_credentials")
        .select("expires_at")
        .where("token", "=", token)
        .executeTakeFirst();
      return row === undefined ? "invalid" : row.expires_at > now() ? "valid" : "expired";
    },
  };
}
