import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { Database } from "../../store/database.ts";
import { parameter } from "../../store/prepared-statement.ts";
import type { SessionsTables } from "./sessions-tables.ts";
import type { SimulatedPeople } from "./simulated-people.ts";

/**
 * Makes the events of sessions and user profiles inside of a write, with the name that the user has then: the nickname, or
 * the simulated person's. `source` names the part of the server that caused one.
 */
export class SessionEvents {
  readonly #people: SimulatedPeople;
  readonly #user;

  constructor({ db, writes }: Pick<Database<SessionsTables>, "db" | "writes">, people: SimulatedPeople) {
    this.#people = people;
    this.#user = writes.prepare(
      db.selectFrom("users").select(["nick_name", "openid"]).where("id", "=", parameter<number>("id")),
    );
  }

  async session(
    type: "session.created" | "session.ended",
    source: string,
    id: number,
    userId: number,
  ): Promise<BusMessage> {
    return { type, source, subject: String(id), data: { session_id: id, ...(await this.#named(userId)) } };
  }

  async sessionChanged(source: string, id: number, userId: number, seconds: number): Promise<BusMessage> {
    const data = { session_id: id, ...(await this.#named(userId)), expires_in: seconds };
    return { type: "session.changed", source, subject: String(id), data };
  }

  async user(source: string, userId: number, field: "userinfo" | "phone"): Promise<BusMessage> {
    const data = { ...(await this.#named(userId)), field };
    return { type: "user.updated", source, subject: String(userId), data };
  }

  async #named(userId: number) {
    const [user] = await this.#user({ id: userId });
    return { user_id: userId, name: user && (user.nick_name ?? this.#people.nameOf(user.openid)) };
  }
}
