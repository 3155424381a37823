/**
 * Records notifications during delivery: batched, a moment later, in one commit. A kill may lose such records. Those
 * deliveries are then repeated, which merchants must expect in any case.
 */
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { isDiskFull } from "../../../contract/process/disk-full.ts";
import { StoreProblem } from "../../../contract/process/store-problem.ts";
import type { Awaitable, GroupedWrites, Instances } from "../../../store/database.ts";
import { parameter, parameterRow } from "../../../store/prepared-statement.ts";
import { lastIdOf } from "../../../store/table-ids.ts";
import type { AttemptRow, NotificationRow, NotifierTables } from "./notification-tables.ts";

export type NewNotification = Omit<NotificationRow, "id" | "taken_by">;
export type NewAttempt = Omit<AttemptRow, "id" | "notification_id">;
/** What tells a notification from another one that has its id in a state that was loaded during the delivery. */
export type NotificationKey = Pick<NotificationRow, (typeof keyColumns)[number]>;
export type DeliveryChange = Pick<NotificationRow, "state" | "attempts" | "base_at" | "due_at">;

export interface NotificationWrites {
  /** Returns the new id. */
  add(row: NewNotification): Awaitable<number>;
  /** Like `add`; undefined where another instance has added a notification of this payment or refund. */
  addFirst(row: NewNotification): Awaitable<number | undefined>;
  /** Nothing is recorded of a notification that has been removed meanwhile, here and in `settle`. */
  addAttempt(of: NotificationKey, row: NewAttempt): void;
  settle(of: NotificationKey, change: DeliveryChange): void;
  /** Settles when everything recorded so far is on disk. */
  flush(): Promise<void>;
  /** Continues from the stored ids after other code has written the tables. */
  reload(): Promise<void>;
}

/** How long a row waits for others. Most notifications are settled within this time, and so written once. */
const batchMs = 50;
/** Pause before records are written again that a database has not taken, which was away or full. */
const againMs = 1_000;

interface Batch {
  readonly notifications: Map<number, NotificationRow>;
  readonly attempts: (NotificationKey & NewAttempt)[];
  readonly settlements: (NotificationKey & DeliveryChange)[];
}
const emptyBatch = (): Batch => ({ notifications: new Map(), attempts: [], settlements: [] });

const notificationColumns = [
  "id",
  "about",
  "mch_id",
  "out_trade_no",
  "refund_id",
  "version",
  "sign_type",
  "url",
  "notify_from",
  "content",
  "state",
  "attempts",
  "created_at",
  "base_at",
  "due_at",
  "taken_by",
] as const satisfies readonly (keyof NotificationRow)[];

const attemptColumns = [
  "attempt",
  "started_at",
  "duration_ms",
  "request_headers",
  "request_body",
  "status",
  "reply_headers",
  "reply_body",
  "verdict",
  "reason",
  "trusted",
  "faults",
] as const satisfies readonly (keyof NewAttempt)[];

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

export async function openNotificationWrites({ db, grouped, instances, log }: Deps): Promise<NotificationWrites> {
  const insertNotification = grouped.prepare(
    db.insertInto("pay_notifications").values(parameterRow(notificationColumns)),
  );
  const insertAttempt = grouped.prepare(
    db
      .insertInto("pay_attempts")
      .columns(["notification_id", ...attemptColumns])
      .expression((e) =>
        e
          .selectFrom("pay_notifications")
          .select(["id", ...attemptColumns.map((column) => e.val(parameter(column)).as(column))])
          .where((row) => row.and(parameterRow(keyColumns))),
      ),
  );
  const settle = grouped.prepare(
    db
      .updateTable("pay_notifications")
      .set({
        state: parameter("state"),
        attempts: parameter("attempts"),
        base_at: parameter("base_at"),
        due_at: parameter("due_at"),
      })
      .where((row) => row.and(parameterRow(keyColumns))),
  );
  let lastId = 0;
  let batch = emptyBatch();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function reload(): Promise<void> {
    lastId = Math.max(lastId, (await lastIdOf(db, "pay_notifications")) ?? 0);
  }

  const write = ({ notifications, attempts, settlements }: Batch): Promise<void> =>
    grouped.write(async () => {
      for (const row of notifications.values()) await insertNotification({ ...row });
      for (const row of attempts) await insertAttempt({ ...row });
      for (const change of settlements) await settle({ ...change });
    });

  function keep(unwritten: Batch): void {
    batch = {
      notifications: new Map([...unwritten.notifications, ...batch.notifications]),
      attempts: [...unwritten.attempts, ...batch.attempts],
      settlements: [...unwritten.settlements, ...batch.settlements],
    };
    flushIn(againMs);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { notifications, attempts, settlements } = batch;
    if (notifications.size + attempts.length + settlements.length === 0) return writing;
    const full = batch;
    batch = emptyBatch();
    writing = writing
      .then(() => write(full))
      .catch((error: unknown) => {
        log.error({ err: error }, "notifications could not be written down");
        if (error instanceof StoreProblem || isDiskFull(error)) keep(full);
      });
    return writing;
  }

  const flushIn = (ms: number) => (timer ??= setTimeout(() => void flush(), ms));
  const flushSoon = () => flushIn(batchMs);

  const sameSubject = ({ out_trade_no, mch_id, refund_id }: NewNotification) =>
    db
      .selectFrom("pay_notifications")
      .select("id")
      .where("out_trade_no", "=", out_trade_no)
      .where("mch_id", "=", mch_id)
      .where("refund_id", "=", refund_id)
      .where("state", "!=", "unscheduled");

  /** Must be called inside of a write. */
  async function insertShared(row: NewNotification, taken_by: string): Promise<number> {
    const [inserted] = await grouped.run(
      db
        .insertInto("pay_notifications")
        .values({ ...row, taken_by })
        .returning("id"),
    );
    if (!inserted) throw new Error("a notification has no id");
    return inserted.id;
  }

  function addOwn(row: NewNotification): number {
    const id = ++lastId;
    batch.notifications.set(id, { id, ...row, taken_by: null });
    flushSoon();
    return id;
  }

  await reload();
  return {
    // Among instances, the database gives the id and decides who delivers, before the delivery.
    add: (row) => (instances ? grouped.write(() => insertShared(row, instances.name)) : addOwn(row)),
    addFirst: (row) =>
      instances
        ? grouped.write(async () => {
            const isFirst = (await grouped.run(sameSubject(row))).length === 0;
            return isFirst ? insertShared(row, instances.name) : undefined;
          })
        : addOwn(row),
    addAttempt(of, row) {
      batch.attempts.push({ ...keyOf(of), ...row });
      flushSoon();
    },
    settle(of, { state, attempts, base_at, due_at }) {
      const change = { state, attempts, base_at, due_at };
      const unwritten = batch.notifications.get(of.id);
      if (unwritten) batch.notifications.set(of.id, { ...unwritten, ...change });
      else batch.settlements.push({ ...keyOf(of), ...change });
      flushSoon();
    },
    flush,
    reload,
  };
}
