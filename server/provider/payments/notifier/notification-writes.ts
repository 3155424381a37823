/**
 * What is written down of notifications while they are delivered: together with others, a moment later, in one transaction.
 * What a kill loses of it is a delivery that is made again, which merchants must expect anyway.
 */
import { sql, type Kysely, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { AttemptRow, NotificationRow, NotifierTables } from "./notification-tables.ts";

export type NewNotification = Omit<NotificationRow, "id">;
export type NewAttempt = Omit<AttemptRow, "id">;
export type Settlement = Pick<NotificationRow, "state" | "attempts" | "base_at" | "due_at">;

export interface NotificationWrites {
  /** Returns its id. */
  add(row: NewNotification): number;
  addAttempt(row: NewAttempt): void;
  settle(id: number, change: Settlement): void;
  /** Ends when all that was written down so far is on disk. */
  flush(): Promise<void>;
  /** Goes by the ids that are stored now: others have written the tables. */
  reload(): Promise<void>;
}

/** How long a row waits for others. */
const batchMs = 20;

interface Batch {
  readonly notifications: Map<number, NotificationRow>;
  readonly attempts: NewAttempt[];
  readonly settlements: Map<number, Settlement>;
}
const emptyBatch = (): Batch => ({ notifications: new Map(), attempts: [], settlements: new Map() });

/** One statement for any number of rows, so that it is compiled once. */
async function insertAll(
  trx: Transaction<NotifierTables>,
  table: "pay_notifications" | "pay_attempts",
  rows: readonly object[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`));
  await sql`insert into ${sql.table(table)} (${columns}) select ${values} from json_each(${JSON.stringify(rows)})`.execute(
    trx,
  );
}

export async function openNotificationWrites(db: Kysely<NotifierTables>, log: Logger): Promise<NotificationWrites> {
  let lastId = 0;
  let batch = emptyBatch();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function reload(): Promise<void> {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = 'pay_notifications'`.execute(db);
    lastId = Math.max(lastId, rows[0]?.seq ?? 0);
  }

  const write = ({ notifications, attempts, settlements }: Batch): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await insertAll(trx, "pay_notifications", [...notifications.values()]);
      await insertAll(trx, "pay_attempts", attempts);
      for (const [id, change] of settlements)
        await trx.updateTable("pay_notifications").set(change).where("id", "=", id).execute();
    });

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { notifications, attempts, settlements } = batch;
    if (notifications.size + attempts.length + settlements.size === 0) return writing;
    const full = batch;
    batch = emptyBatch();
    writing = writing
      .then(() => write(full))
      .catch((error: unknown) => log.error({ err: error }, "notifications could not be written down"));
    return writing;
  }

  const flushSoon = () => (timer ??= setTimeout(() => void flush(), batchMs));

  await reload();
  return {
    add(row) {
      const id = ++lastId;
      batch.notifications.set(id, { id, ...row });
      flushSoon();
      return id;
    },
    addAttempt(row) {
      batch.attempts.push(row);
      flushSoon();
    },
    settle(id, { state, attempts, base_at, due_at }) {
      const change = { state, attempts, base_at, due_at };
      const unwritten = batch.notifications.get(id);
      if (unwritten) batch.notifications.set(id, { ...unwritten, ...change });
      else batch.settlements.set(id, change);
      flushSoon();
    },
    flush,
    reload,
  };
}
