/** Stores the receiver of message push, the messages and their deliveries. */
import type { Insertable, Kysely, Transaction, Updateable } from "kysely";
import type { SimPush } from "../../../contract/provider/sim-message-push.ts";
import { presentIds } from "../../../trace/span.ts";
import type { PushAttemptRow, PushReceiverRow, PushRow, PushTables } from "./push-tables.ts";

/** The newest messages are kept. */
const mostPushes = 1_000;
const mostListed = 100;

type Db = Kysely<PushTables> | Transaction<PushTables>;

export class PushStore {
  readonly #db: Kysely<PushTables>;
  readonly #appId: string;

  constructor(db: Kysely<PushTables>, appId: string) {
    this.#db = db;
    this.#appId = appId;
  }

  receiver(db: Db = this.#db): Promise<PushReceiverRow | undefined> {
    return db.selectFrom("sim_push_receivers").selectAll().where("app_id", "=", this.#appId).executeTakeFirst();
  }

  async setReceiver(receiver: Omit<PushReceiverRow, "app_id"> | undefined): Promise<void> {
    const row = receiver && { app_id: this.#appId, ...receiver };
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom("sim_push_receivers").where("app_id", "=", this.#appId).execute();
      if (row) await trx.insertInto("sim_push_receivers").values(row).execute();
    });
  }

  async add(push: Insertable<PushTables["sim_pushes"]>, db: Db): Promise<number> {
    const { id } = await db.insertInto("sim_pushes").values(push).returning("id").executeTakeFirstOrThrow();
    const oldest = id - mostPushes;
    if (oldest > 0) {
      await db.deleteFrom("sim_push_attempts").where("push_id", "<=", oldest).execute();
      await db.deleteFrom("sim_pushes").where("id", "<=", oldest).execute();
    }
    return id;
  }

  find = (id: number): Promise<PushRow | undefined> =>
    this.#db.selectFrom("sim_pushes").selectAll().where("id", "=", id).executeTakeFirst();

  /** Claims a message that waits, so that nobody else delivers it. */
  claim = (id: number): Promise<PushRow | undefined> =>
    this.#db
      .updateTable("sim_pushes")
      .set({ due_at: null })
      .where("id", "=", id)
      .where("due_at", "is not", null)
      .returningAll()
      .executeTakeFirst();

  async change(id: number, change: Updateable<PushTables["sim_pushes"]>): Promise<void> {
    await this.#db.updateTable("sim_pushes").set(change).where("id", "=", id).execute();
  }

  /** The messages without an end. Those that were being sent when the simulator ended are due now. */
  async pending(now: number): Promise<(PushRow & { due_at: number })[]> {
    const rows = this.#db
      .updateTable("sim_pushes")
      .set((row) => ({ due_at: row.fn.coalesce("due_at", row.val(now)) }))
      .where("state", "=", "pending")
      .returningAll();
    return (await rows.execute()) as (PushRow & { due_at: number })[];
  }

  async addAttempt(attempt: Omit<PushAttemptRow, "id">): Promise<void> {
    // The message is gone where another state was loaded meanwhile.
    if (await this.find(attempt.push_id)) await this.#db.insertInto("sim_push_attempts").values(attempt).execute();
  }

  /** Newest first. */
  async list(): Promise<SimPush[]> {
    const rows = await this.#db.selectFrom("sim_pushes").selectAll().orderBy("id", "desc").limit(mostListed).execute();
    return this.#views(rows);
  }

  async get(id: number): Promise<SimPush | undefined> {
    const push = await this.find(id);
    return push && (await this.#views([push]))[0];
  }

  async #views(rows: readonly PushRow[]): Promise<SimPush[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const attempts = await this.#db
      .selectFrom("sim_push_attempts")
      .selectAll()
      .where("push_id", "in", ids)
      .orderBy("id")
      .execute();
    return rows.map((row) =>
      viewOf(
        row,
        attempts.filter(({ push_id }) => push_id === row.id),
      ),
    );
  }
}

const viewOf = (
  { id, event, openid, message, state, created_at, due_at }: PushRow,
  attempts: readonly PushAttemptRow[],
): SimPush => ({
  ...{ id, event, openid, message, state },
  created_at: new Date(created_at).toISOString(),
  next_attempt_at: due_at === null ? null : new Date(due_at).toISOString(),
  attempts: attempts.map((attempt) => ({
    at: new Date(attempt.at).toISOString(),
    duration_ms: attempt.duration_ms,
    url: attempt.url,
    body: attempt.body,
    status: attempt.status,
    reply: attempt.reply,
    ...(attempt.problem !== null && { problem: attempt.problem }),
    ...presentIds(attempt),
  })),
});
