import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import { isDiskFull } from "../../../contract/process/disk-full.ts";
import { StoreProblem } from "../../../contract/process/store-problem.ts";
import type { Awaitable, GroupedWrites, Instances } from "../../../store/database.ts";
import { parameter, parameterRow } from "../../../store/prepared-statement.ts";
import { columnNames } from "../../../store/define-table.ts";
import { lastIdOf } from "../../../store/table-ids.ts";
import {
  payAttempts,
  payNotifications,
  type AttemptRow,
  type NotificationRow,
  type NotifierTables,
} from "./notification-tables.ts";
import { startSharedTimer } from "../../../trace/span.ts";

export type NewNotification = Omit<NotificationRow, "id" | "taken_by">;
export type NewAttempt = Omit<AttemptRow, "id" | "notification_id">;
/** Distinguishes a notification from one with the same id in a state that was loaded during the delivery. */
export type NotificationKey = Pick<NotificationRow, (typeof keyColumns)[number]>;
export type DeliveryChange = Pick<NotificationRow, "state" | "attempts" | "base_at" | "due_at">;

/** How long a row waits for others. Most notifications are settled within this time, and so written once. */
const batchMs = 50;
/** Pause before a retry, after the database was away or full. */
const retryMs = 1_000;

interface Batch {
  readonly notifications: Map<number, NotificationRow>;
  readonly attempts: (NotificationKey & NewAttempt)[];
  readonly settlements: (NotificationKey & DeliveryChange)[];
}
const emptyBatch = (): Batch => ({ notifications: new Map(), attempts: [], settlements: [] });

const keyColumns = ["id", "out_trade_no", "created_at"] as const;

const keyOf = ({ id, out_trade_no, created_at }: NotificationKey): NotificationKey => ({
  id,
  out_trade_no,
  created_at,
});

interface Deps {
  readonly db: Kysely<NotifierTables>;
  readonly grouped: GroupedWrites;
  /** Those that share the database. */
  readonly instances: Pick<Instances, "name"> | undefined;
  readonly log: Logger;
}

function prepareStatements(db: Kysely<NotifierTables>, grouped: GroupedWrites) {
  const isKey = (row: ExpressionBuilder<NotifierTables, "pay_notifications">) => row.and(parameterRow(keyColumns));
  const ofAttempt = columnNames(payAttempts, ["id", "notification_id"]);
  return {
    addNotification: grouped.prepare(
      db.insertInto("pay_notifications").values(parameterRow(columnNames(payNotifications))),
    ),
    addAttempt: grouped.prepare(
      db
        .insertInto("pay_attempts")
        .columns(["notification_id", ...ofAttempt])
        .expression((e) =>
          e
            .selectFrom("pay_notifications")
            .select(["id", ...ofAttempt.map((column) => e.val(parameter(column)).as(column))])
            .where(isKey),
        ),
    ),
    settle: grouped.prepare(
      db
        .updateTable("pay_notifications")
        .set({
          state: parameter("state"),
          attempts: parameter("attempts"),
          base_at: parameter("base_at"),
          due_at: parameter("due_at"),
        })
        .where(isKey),
    ),
  };
}

/**
 * Records notifications during delivery: batched, a moment later, in one commit. A kill may lose such records. Those
 * deliveries are then repeated, which merchants must expect in any case.
 */
export class NotificationWrites {
  readonly #deps: Deps;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #lastId = 0;
  #batch = emptyBatch();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(deps: Deps) {
    this.#deps = deps;
    this.#statements = prepareStatements(deps.db, deps.grouped);
  }

  static async open(deps: Deps): Promise<NotificationWrites> {
    const writes = new NotificationWrites(deps);
    await writes.reload();
    return writes;
  }

  /** Returns the new id. Among instances, the database gives it and decides who delivers, before the delivery. */
  add(row: NewNotification): Awaitable<number> {
    const { grouped, instances } = this.#deps;
    return instances ? grouped.write(() => this.#insertShared(row, instances.name)) : this.#addOwn(row);
  }

  /** Adds a notification in the transaction of what it is about. */
  async addIn(row: NewNotification, trx: Transaction<NotifierTables>): Promise<void> {
    const own = this.#deps.instances ? {} : { id: ++this.#lastId };
    await trx
      .insertInto("pay_notifications")
      .values({ ...own, ...row, taken_by: null })
      .execute();
  }

  /** Like `add`; undefined where another instance has added a notification of this payment or refund. */
  addFirst(row: NewNotification): Awaitable<number | undefined> {
    const { grouped, instances } = this.#deps;
    if (!instances) return this.#addOwn(row);
    return grouped.write(async () => {
      const isFirst = (await grouped.run(this.#sameSubject(row))).length === 0;
      return isFirst ? this.#insertShared(row, instances.name) : undefined;
    });
  }

  /** Records nothing of a notification that has been removed meanwhile, like `settle`. */
  addAttempt(of: NotificationKey, row: NewAttempt): void {
    this.#batch.attempts.push({ ...keyOf(of), ...row });
    this.#flushIn(batchMs);
  }

  settle(of: NotificationKey, { state, attempts, base_at, due_at }: DeliveryChange): void {
    const { notifications, settlements } = this.#batch;
    const change = { state, attempts, base_at, due_at };
    const unwritten = notifications.get(of.id);
    if (unwritten) notifications.set(of.id, { ...unwritten, ...change });
    else settlements.push({ ...keyOf(of), ...change });
    this.#flushIn(batchMs);
  }

  /** Settles when everything recorded so far is on disk. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    if (batch.notifications.size + batch.attempts.length + batch.settlements.length === 0) return this.#writing;
    this.#batch = emptyBatch();
    this.#writing = this.#writing
      .then(() => this.#write(batch))
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, "notifications could not be stored");
        if (error instanceof StoreProblem || isDiskFull(error)) this.#retry(batch);
      });
    return this.#writing;
  }

  /** Continues from the stored ids after other code has written the tables. */
  async reload(): Promise<void> {
    this.#lastId = Math.max(this.#lastId, (await lastIdOf(this.#deps.db, "pay_notifications")) ?? 0);
  }

  #flushIn(ms: number): void {
    this.#timer ??= startSharedTimer(() => void this.flush(), ms);
  }

  #write({ notifications, attempts, settlements }: Batch): Promise<void> {
    const { addNotification, addAttempt, settle } = this.#statements;
    return this.#deps.grouped.write(async () => {
      for (const row of notifications.values()) await addNotification({ ...row });
      for (const row of attempts) await addAttempt({ ...row });
      for (const change of settlements) await settle({ ...change });
    });
  }

  #retry({ notifications, attempts, settlements }: Batch): void {
    this.#batch = {
      notifications: new Map([...notifications, ...this.#batch.notifications]),
      attempts: [...attempts, ...this.#batch.attempts],
      settlements: [...settlements, ...this.#batch.settlements],
    };
    this.#flushIn(retryMs);
  }

  #addOwn(row: NewNotification): number {
    const id = ++this.#lastId;
    this.#batch.notifications.set(id, { id, ...row, taken_by: null });
    this.#flushIn(batchMs);
    return id;
  }

  /** Must be called inside of a write. */
  async #insertShared(row: NewNotification, taken_by: string): Promise<number> {
    const { db, grouped } = this.#deps;
    const values = { ...row, taken_by };
    const [inserted] = await grouped.run(db.insertInto("pay_notifications").values(values).returning("id"));
    if (!inserted) throw new Error("a notification has no id");
    return inserted.id;
  }

  #sameSubject({ out_trade_no, mch_id, refund_id }: NewNotification) {
    return this.#deps.db
      .selectFrom("pay_notifications")
      .select("id")
      .where((row) => row.and({ out_trade_no, mch_id, refund_id }))
      .where("state", "!=", "unscheduled");
  }
}
