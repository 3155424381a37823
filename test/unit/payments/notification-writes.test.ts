/** What becomes of the records of notifications that a full disk has not taken. */
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  NotificationWrites,
  type NewNotification,
} from "../../../server/provider/payments/notifier/notification-writes.ts";
import {
  notifierMigrations,
  type NotifierTables,
} from "../../../server/provider/payments/notifier/notification-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const notification: NewNotification = {
  about: "payment",
  mch_id: "1900000109",
  out_trade_no: "HEARTH0000000001",
  refund_id: "",
  version: "v2",
  sign_type: "MD5",
  url: "http://127.0.0.1:9/",
  notify_from: null,
  content: "x".repeat(100_000),
  state: "pending",
  attempts: 0,
  created_at: 1,
  base_at: 1,
  due_at: null,
  caused_by: null,
};

it("are written once there is room", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "provider.db");
  const database = await openDatabase<NotifierTables>({ file, migrations: notifierMigrations });
  const { db } = database;
  const writes = await NotificationWrites.open({ db, grouped: database.writes, instances: undefined, log: quietLog });
  /** Pages: none is less than there are. */
  const room = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
  const stored = () => db.selectFrom("pay_notifications").select(["id", "state", "due_at"]).execute();

  await room(1);
  const id = await writes.add(notification);
  writes.settle({ ...notification, id }, { ...notification, attempts: 1, due_at: 15_000 });
  await writes.flush();
  expect(await stored()).toEqual([]);
  await room(1_000_000);
  await writes.flush();
  expect(await stored()).toEqual([{ id, state: "pending", due_at: 15_000 }]);
  await database.close();
});
