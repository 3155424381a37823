/**
 * One user for each phone number (setting `one_user_per_phone`). Without it each openid is a user of its own. A user who
 * logs in by several openids has the latest one, with its session key, in the row; the others stay known.
 */
import type { Transaction } from "kysely";
import type { EventDatabase } from "../../store/event-writes.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionsTables, UsersTable } from "./sessions-tables.ts";

type Phone = Record<"phone_number" | "country_code", string>;
type Newcomer = Pick<UsersTable, "openid" | "session_key" | "unionid" | "phone_number"> & { readonly id: number };

/** Makes an openid by which a user logged in before the current one. False if there is no such user. */
export async function useEarlierOpenid(trx: Transaction<SessionsTables>, openid: string): Promise<boolean> {
  const earlier = await trx
    .deleteFrom("earlier_openids")
    .where("openid", "=", openid)
    .returning("user_id")
    .executeTakeFirst();
  if (!earlier) return false;
  const { user_id } = earlier;
  const user = await trx.selectFrom("users").select("openid").where("id", "=", user_id).executeTakeFirstOrThrow();
  await trx.insertInto("earlier_openids").values({ openid: user.openid, user_id }).execute();
  await trx.updateTable("users").set({ openid }).where("id", "=", user_id).execute();
  return true;
}

/**
 * Lets a newcomer become the user who has that phone number, if there is one: the sessions and the openid move there. A
 * user who had a number before stays a user: things may belong to it.
 */
export async function joinUserOfPhone(
  { db, writes }: EventDatabase<SessionsTables>,
  events: SessionEvents,
  newcomer: Newcomer,
  phone: Phone,
): Promise<boolean> {
  if (newcomer.phone_number !== null) return false;
  const joined = await writes.writeWithEvent(
    async () => {
      const [owner] = await writes.run(
        db
          .selectFrom("users")
          .select(["id", "openid", "unionid"])
          .where("phone_number", "=", phone.phone_number)
          .where("country_code", "=", phone.country_code)
          .where("id", "<>", newcomer.id)
          .orderBy("id")
          .limit(1),
      );
      if (!owner) return undefined;
      const { openid, session_key, unionid } = newcomer;
      await writes.run(db.updateTable("sessions").set({ user_id: owner.id }).where("user_id", "=", newcomer.id));
      await writes.run(db.updateTable("earlier_openids").set({ user_id: owner.id }).where("user_id", "=", newcomer.id));
      await writes.run(db.deleteFrom("users").where("id", "=", newcomer.id));
      await writes.run(db.insertInto("earlier_openids").values({ openid: owner.openid, user_id: owner.id }));
      const values = { openid, session_key, unionid: owner.unionid ?? unionid };
      await writes.run(db.updateTable("users").set(values).where("id", "=", owner.id));
      return owner;
    },
    ({ id }) => events.user("/app/sessions", id, "phone"),
  );
  return joined !== undefined;
}
