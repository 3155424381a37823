import type { Logger } from "pino";
import { consolePerson, isCheckPerson } from "../../contract/provider/internal-people.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionsTables } from "./sessions-tables.ts";
import type { SimulatedPeople } from "./simulated-people.ts";

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly events: Pick<SessionEvents, "session">;
  readonly people: Pick<SimulatedPeople, "read" | "openidOf" | "remove">;
  readonly log: Pick<Logger, "error">;
}

/** The users whom Hearth itself logs in: the console's, and those of receiver checks, which are removed afterwards. */
export class InternalUsers {
  readonly #deps: Deps;
  #consoleOpenid: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether this is the openid of the console's user. The simulator is asked once. */
  async isConsole(openid: string): Promise<boolean> {
    this.#consoleOpenid ??= await this.#deps.people.openidOf(consolePerson);
    return openid === this.#consoleOpenid;
  }

  /** Removes the user of a receiver check with all sessions, and the person of the platform. */
  async removeOfCheck(person: string): Promise<void> {
    const { people, log } = this.#deps;
    try {
      const id = await this.#idOf((await people.openidOf(person)) ?? "");
      if (id !== undefined) await this.#remove(id);
      await people.remove(person);
    } catch (error) {
      log.error({ err: error }, "the user of a receiver check could not be removed");
    }
  }

  /** Removes the users of the checks that a crash has ended. */
  async removeLeftovers(): Promise<void> {
    for (const name of (await this.#deps.people.read()).values())
      if (isCheckPerson(name)) await this.removeOfCheck(name);
  }

  async #idOf(openid: string): Promise<number | undefined> {
    const { db } = this.#deps.database;
    return (await db.selectFrom("users").select("id").where("openid", "=", openid).executeTakeFirst())?.id;
  }

  /** Publishes the end of one session, at which lists of users are read again. */
  async #remove(userId: number): Promise<void> {
    const { database, events } = this.#deps;
    const { db, writes } = database;
    await writes.writeWithEvent(
      async () => {
        const sessions = await writes.run(db.deleteFrom("sessions").where("user_id", "=", userId).returning("id"));
        await writes.run(db.deleteFrom("users").where("id", "=", userId));
        return sessions.at(-1);
      },
      ({ id }) => events.session("session.ended", "/app/sessions", id, userId),
    );
  }
}
