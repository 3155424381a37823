import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { isYounger } from "../../process/age.ts";
import { isWaiting, latestBeginning } from "../../store/waits.ts";
import type { IdentityTables } from "./identity-tables.ts";
import type { IdentityErrorCode } from "./provider-error.ts";

const lifetimeSeconds = 7200;
/** How long an old token stays valid after a new one is issued, and how near its end a stable one is replaced. */
const overlapMs = 300_000;
/** A forced renewal is limited to this rate; otherwise it returns the current token. */
const forcedPauseMs = 30_000;
const forcedPerDay = 20;
const dayMs = 86_400_000;

interface Credential {
  readonly access_token: string;
  readonly expires_in: number;
}

export type Credentials = ReturnType<typeof createCredentials>;

/** The server credentials of the app (`access_token` of the provider's own API, not a session token). */
export function createCredentials(db: Kysely<IdentityTables>, now: () => number) {
  let forcedAt: number[] = [];

  async function create(kind: "token" | "stable"): Promise<Credential> {
    const token = randomBytes(96).toString("base64url");
    await db
      .insertInto("sim_credentials")
      .values({ token, kind, expires_at: now() + lifetimeSeconds * 1000 })
      .execute();
    await db
      .deleteFrom("sim_credentials")
      .where("expires_at", "<", now() - dayMs)
      .execute();
    return { access_token: token, expires_in: lifetimeSeconds };
  }

  /** Never more than a new one has, although the clock has been put back. */
  const secondsLeft = (expiresAt: number) => Math.min(lifetimeSeconds, Math.floor((expiresAt - now()) / 1000));

  function takeForcedRenewal(): boolean {
    forcedAt = forcedAt.filter((at) => isYounger(now() - at, dayMs));
    if (forcedAt.length >= forcedPerDay || now() - (forcedAt.at(-1) ?? -Infinity) < forcedPauseMs) return false;
    forcedAt.push(now());
    return true;
  }

  return {
    /** A new token on each call. */
    async issue(): Promise<Credential> {
      const endsEarly = now() + overlapMs;
      await db
        .updateTable("sim_credentials")
        .set((b) => ({
          kind: "superseded",
          expires_at: b.fn<number>("min", [b.ref("expires_at"), b.val(endsEarly)]),
        }))
        .where("kind", "=", "token")
        .execute();
      return create("token");
    },

    /** The same token until shortly before its expiry; `force` replaces it at once. */
    async stable(force: boolean): Promise<Credential> {
      const current = await db
        .selectFrom("sim_credentials")
        .selectAll()
        .where("kind", "=", "stable")
        .where("expires_at", ">", now() + overlapMs)
        .where("expires_at", "<=", latestBeginning(now()) + lifetimeSeconds * 1000)
        .orderBy("expires_at", "desc")
        .executeTakeFirst();
      const renews = force && takeForcedRenewal();
      if (current && !renews) return { access_token: current.token, expires_in: secondsLeft(current.expires_at) };
      if (renews) await db.deleteFrom("sim_credentials").where("kind", "=", "stable").execute();
      return create("stable");
    },

    /** The errcode for a call with this token, if it is to be refused. */
    async refusal(token: string | undefined): Promise<IdentityErrorCode | undefined> {
      if (!token) return 41001;
      if (!/^[\w-]{64,512}$/.test(token)) return 40014;
      const row = await db.selectFrom("sim_credentials").selectAll().where("token", "=", token).executeTakeFirst();
      if (row === undefined) return 40001;
      if (isWaiting(row.expires_at, lifetimeSeconds * 1000, now())) return undefined;
      return row.kind === "superseded" ? 40001 : 42001;
    },
  };
}
