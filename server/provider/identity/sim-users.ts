import { createHash, randomBytes } from "node:crypto";
import type { Kysely, Selectable, Updateable } from "kysely";
import { newSessionKey } from "./open-data.ts";
import type { IdentityTables, SimUsersTable } from "./identity-tables.ts";
import { testApp } from "./test-app.ts";

export type SimUser = Selectable<SimUsersTable>;

/** A code works once and for five minutes. */
const codeLifetimeMs = 300_000;

export interface SimUsers {
  /** The person of that name, who comes into being at the first call. */
  get(name: string): Promise<SimUser>;
  find(by: { id: number } | { openid: string }): Promise<SimUser | undefined>;
  update(id: number, change: Updateable<SimUsersTable>): Promise<SimUser>;
  issueCode(userId: number, kind: "login" | "phone"): Promise<string>;
  /** Takes a code out of use and answers whose it is. */
  redeemCode(code: string, kind: "login" | "phone"): Promise<{ user: SimUser } | "unknown" | "used">;
}

/**
 * The platform's people. Everything about one follows from the name, so that a test that names the same person on another
 * machine meets the same ids.
 */
export function createSimUsers(db: Kysely<IdentityTables>, now: () => number): SimUsers {
  async function find(by: { id: number } | { openid: string }) {
    const [column, value] = "id" in by ? (["id", by.id] as const) : (["openid", by.openid] as const);
    return db.selectFrom("sim_users").selectAll().where(column, "=", value).executeTakeFirst();
  }

  return {
    find,

    async get(name) {
      await db
        .insertInto("sim_users")
        .values({
          ...bornAs(name),
          session_key: newSessionKey(),
          session_key_at: now(),
          userinfo_consent: null,
          phone_consent: null,
          follows_account: 0,
          blocked: 0,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return db.selectFrom("sim_users").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
    },

    async update(id, change) {
      return db.updateTable("sim_users").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
    },

    async issueCode(userId, kind) {
      const code = randomBytes(16).toString("hex");
      await db.insertInto("sim_codes").values({ code, kind, user_id: userId, created_at: now(), used: 0 }).execute();
      await db
        .deleteFrom("sim_codes")
        .where("created_at", "<", now() - 10 * codeLifetimeMs)
        .execute();
      return code;
    },

    async redeemCode(code, kind) {
      // One statement marks and reads, so that of two exchanges at once only one gets it.
      const redeemed = await db
        .updateTable("sim_codes")
        .set({ used: 1 })
        .where("code", "=", code)
        .where("kind", "=", kind)
        .where("used", "=", 0)
        .where("created_at", ">", now() - codeLifetimeMs)
        .returning("user_id")
        .executeTakeFirst();
      const user = redeemed && (await find({ id: redeemed.user_id }));
      if (user) return { user };
      const known = await db
        .selectFrom("sim_codes")
        .select("used")
        .where("code", "=", code)
        .where("kind", "=", kind)
        .executeTakeFirst();
      return known?.used === 1 ? "used" : "unknown";
    },
  };
}

function bornAs(name: string) {
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
  };
}
