import { createHash, randomBytes } from "node:crypto";
import type { Kysely, Updateable } from "kysely";
import { latestBeginning } from "../../store/waits.ts";
import { newSessionKey } from "./open-data.ts";
import { firstPosition, type IdentityTables, type SimUser, type SimUsersTable } from "./identity-tables.ts";
import type { MiniProgramTables } from "./mini-program/mini-program-tables.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import { testApp } from "./test-app.ts";

export type CodeKind = "login" | "phone";

/** A code works once, within five minutes. */
const codeLifetimeMs = 300_000;
/** A used code is remembered as used for this long. */
const codeMemoryMs = 10 * codeLifetimeMs;

interface Deps {
  readonly db: Kysely<IdentityTables & MiniProgramTables>;
  readonly settings: SimSettingsStore;
  /** Unix time in ms. */
  readonly now: () => number;
}

/**
 * The platform's people. Everything about a person derives from the name, so that the same name yields the same ids on
 * every machine.
 */
export function createSimUsers({ db, settings, now }: Deps) {
  const codes = (code: string, kind: CodeKind) =>
    db.selectFrom("sim_codes").where("code", "=", code).where("kind", "=", kind).where("app_id", "=", testApp.app_id);

  const stored = (name: string) => db.selectFrom("sim_users").selectAll().where("name", "=", name).executeTakeFirst();

  async function update(id: number, change: Updateable<SimUsersTable>): Promise<SimUser> {
    return db.updateTable("sim_users").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
  }

  /** Whether the key has expired. */
  function keyExpired({ session_key_at: at }: Pick<SimUser, "session_key_at">): boolean {
    const { session_key_ttl_seconds } = settings.current();
    return at > latestBeginning(now()) || now() - at > session_key_ttl_seconds * 1000;
  }

  return {
    update,
    keyExpired,

    /** The person of that name, created on the first call. */
    async get(name: string): Promise<SimUser> {
      await db
        .insertInto("sim_users")
        .values(bornAs(name, now()))
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return (await stored(name)) as SimUser;
    },

    /** The person of that name, or the one that would be created; writes nothing. */
    whoWouldBe: async (name: string): Promise<Omit<SimUser, "id">> => (await stored(name)) ?? bornAs(name, now()),

    /** Removes a person with all codes and messages. False if there is none of that name. */
    async remove(name: string): Promise<boolean> {
      const { id } = (await stored(name)) ?? {};
      if (id === undefined) return false;
      for (const table of ["sim_codes", "sim_subscriptions", "sim_messages"] as const)
        await db.deleteFrom(table).where("user_id", "=", id).execute();
      await db.deleteFrom("sim_users").where("id", "=", id).execute();
      return true;
    },

    list: () => db.selectFrom("sim_users").selectAll().orderBy("id").execute(),

    findByOpenId: (openid: string) =>
      db.selectFrom("sim_users").selectAll().where("openid", "=", openid).executeTakeFirst(),

    /** Counts as activity of the person, which extends the session key's lifetime; an expired key is replaced. */
    async touch(user: SimUser, login = false): Promise<SimUser> {
      const { login_rotates_key } = settings.current();
      const rotates = (login && login_rotates_key === "always") || keyExpired(user);
      return update(user.id, { session_key_at: now(), ...(rotates && { session_key: newSessionKey() }) });
    },

    async issueCode(userId: number, kind: CodeKind, appId: string = testApp.app_id): Promise<string> {
      const code = randomBytes(16).toString("hex");
      await db
        .insertInto("sim_codes")
        .values({ code, kind, user_id: userId, app_id: appId, created_at: now(), used: 0 })
        .execute();
      await db
        .deleteFrom("sim_codes")
        .where("created_at", "<", now() - codeMemoryMs)
        .execute();
      return code;
    },

    /** The owner of the code, also of a used or expired one. A code of another app has no owner. */
    async codeOwner(code: string, kind: CodeKind): Promise<SimUser | undefined> {
      return codes(code, kind)
        .innerJoin("sim_users", "sim_users.id", "sim_codes.user_id")
        .selectAll("sim_users")
        .executeTakeFirst();
    },

    /** Marks a code as used. */
    async redeemCode(code: string, kind: CodeKind): Promise<"redeemed" | "unknown" | "used"> {
      // One statement marks and reads the code, so that only one of two concurrent exchanges gets it.
      const redeemed = await db
        .updateTable("sim_codes")
        .set({ used: 1 })
        .where("code", "=", code)
        .where("kind", "=", kind)
        .where("app_id", "=", testApp.app_id)
        .where("used", "=", 0)
        .where("created_at", ">", now() - codeLifetimeMs)
        .where("created_at", "<=", latestBeginning(now()))
        .returning("user_id")
        .executeTakeFirst();
      if (redeemed) return "redeemed";
      const known = await codes(code, kind).select("used").executeTakeFirst();
      return known?.used === 1 ? "used" : "unknown";
    },
  };
}

export type SimUsers = ReturnType<typeof createSimUsers>;

function bornAs(name: string, at: number): Omit<SimUser, "id"> {
  const seed = createHash("sha256").update(`${testApp.app_id}/${name}`).digest();
  const id = seed.toString("base64url");
  return {
    name,
    openid: `o${id.slice(0, 27)}`,
    unionid: `oU${id.slice(10, 36)}`,
    nick_name: name,
    avatar_url: `https://avatar.invalid/${encodeURIComponent(name)}.png`,
    phone_number: `138${String(seed.readUInt32BE(0) % 100_000_000).padStart(8, "0")}`,
    country_code: "86",
    session_key: newSessionKey(),
    session_key_at: at,
    userinfo_consent: null,
    phone_consent: null,
    location_consent: null,
    ...firstPosition,
    follows_account: 0,
    uses_other_app: 0,
    unionid_mode: "seed",
    blocked: 0,
  };
}
