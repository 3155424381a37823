/**
 * The application server and the simulator as two programs of their own that speak HTTP, each of which can be stopped and
 * opened again over its database file. One clock, which stands unless it is moved, serves both.
 */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sql, type Selectable } from "kysely";
import type { OrdersTable } from "../../../server/app/payments/store/orders-tables.ts";
import type { PaymentsDeps } from "../../../server/app/payments/payments.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { createAdjustableClock } from "../../../server/process/adjustable-clock.ts";
import { openProvider } from "../../../server/provider/open-provider.ts";
import { callConsole } from "../app/control-calls.ts";
import { recordedLog } from "../quiet-log.ts";
import { openRelay } from "./relay.ts";
import { watchSettling } from "./settling.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { consoleToken } from "../app/console-token.ts";
import { noApiDocs } from "../app/no-api-docs.ts";
import { startTestApp } from "../app/test-app.ts";
import { patienceMs } from "../eventually.ts";

interface Options {
  readonly settings?: Partial<Settings>;
  readonly createSettle?: PaymentsDeps["createSettle"];
}

export interface Answered {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** As long as a call whose answer is held back keeps everything waiting. */
const callTimeoutMs = 400;

const dueOrders = "select count(*) as due from orders where next_query_at <= ?";
const dueRefunds = "select count(*) as due from order_refunds where next_query_at <= ?";
const dueNotifications =
  "select count(*) as due from pay_notifications where state = 'pending' and (due_at is null or due_at <= ?)";
/** Paid, and not even written down yet as something to tell. */
const unsent = `select count(*) as due from pay_orders
  where paid_at is not null and trade_type <> 'MICROPAY' and ? > 0 and not exists
  (select 1 from pay_notifications as told where told.out_trade_no = pay_orders.out_trade_no and refund_id = '' and state <> 'unscheduled')`;
const nextOnes = (table: string, column: string, also = "") =>
  `select min(${column}) as next from ${table} where ${column} is not null ${also}`;

export async function openPaymentWorld({ settings: changed = {}, createSettle }: Options = {}) {
  const folder = temporaryFolder();
  const startedAt = Date.now();
  const clock = createAdjustableClock(() => startedAt);
  const { log, lines } = recordedLog();
  const [appRelay, simRelay] = [await openRelay(), await openRelay()];
  const settings: Settings = {
    ...settingsSchema.parse({ data_dir: folder.path, app_port: 0, provider_port: 0 }),
    session_ttl_seconds: 100 * 365 * 86_400,
    record_requests: false,
    payment_notify_url: appRelay.url,
    payment_timeout_ms: callTimeoutMs,
    ...changed,
  };
  const settling = watchSettling(createSettle);
  const settlements = new Map<number, number>();

  let simulator = await openSimulator();
  let app = await openApp();
  const session = await app.loggedIn("buyer");
  await sql`create table seen_moves (order_id integer, source text, target text, settles integer)`.execute(app.db);
  // Written by the database itself: no code of the server decides what is seen.
  await sql`create trigger see_moves after update on orders
    when old.trade_state <> new.trade_state or old.settled_at is not new.settled_at begin
    insert into seen_moves values (new.id, old.trade_state, new.trade_state, old.settled_at is not new.settled_at);
    end`.execute(app.db);
  const files = openFiles();

  async function openSimulator() {
    const opened = await openProvider({ consoleToken, apiDocs: noApiDocs, settings, log, clock });
    simRelay.leadTo(opened.url);
    return opened;
  }

  async function openApp() {
    const provider = {
      ...simulator,
      url: simRelay.url,
      payments: { ...simulator.payments, url: simRelay.url, keysV3: () => simulator.payments.keysV3() },
    };
    const opened = await startTestApp({
      settings,
      folder: folder.path,
      clock,
      provider,
      log,
      payments: { createSettle: settling.createSettle },
    });
    opened.bus.subscribe(({ type, data }) => {
      if (type !== "payment.settled") return;
      const { order_id: id } = data as { order_id: number };
      settlements.set(id, (settlements.get(id) ?? 0) + 1);
    });
    appRelay.leadTo(opened.url);
    return opened;
  }

  function openFiles() {
    const [own, sims] = ["hearth.db", "provider.db"].map(
      (name) => new Sqlite(join(folder.path, name), { readonly: true }),
    ) as [Sqlite.Database, Sqlite.Database];
    const due = [own.prepare(dueOrders), own.prepare(dueRefunds), sims.prepare(dueNotifications), sims.prepare(unsent)];
    const next = [
      own.prepare(nextOnes("orders", "next_query_at")),
      own.prepare(nextOnes("order_refunds", "next_query_at")),
      sims.prepare(nextOnes("pay_notifications", "due_at", "and state = 'pending'")),
    ];
    return { own, sims, due, next };
  }

  /** @returns status 0 where there was no answer, as while something is being restarted */
  async function call(url: string, method: string, body?: unknown, headers = {}): Promise<Answered> {
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
    } catch {
      return { status: 0, body: undefined };
    }
  }

  const isQuiet = () =>
    files.due.every((statement) => (statement.get(clock.now()) as { due: number }).due === 0) && !settling.isRunning();

  async function settled(): Promise<void> {
    for (const until = performance.now() + patienceMs; !isQuiet(); await wait(2))
      if (performance.now() > until)
        throw new Error(
          `what is due stays due: ${files.due.map((one) => JSON.stringify(one.get(clock.now()))).join()}`,
        );
  }

  return {
    clock,
    log: lines,
    settlements,
    api: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(`${app.url}/api${path}`, method, body, { ...session, ...headers }),
    sim: (method: string, path: string, body?: unknown) => call(`${simulator.url}/sim${path}`, method, body),
    lift: async (id: number) =>
      void (await callConsole(app, "POST", `/orders/${String(id)}/queries`, { lift_mismatch: true })),
    stored: async (id: number) => await (await callConsole(app, "GET", `/orders/${String(id)}`)).json(),
    orders: () => files.own.prepare("select * from orders order by id").all() as Selectable<OrdersTable>[],
    /** What the database has seen of an order, in order. */
    moves: (id: number) =>
      files.own.prepare("select source, target, settles from seen_moves where order_id = ? order by rowid").all(id) as {
        readonly source: string;
        readonly target: string;
        readonly settles: 0 | 1;
      }[],
    /** Waits until nothing is due that has a time. */
    quiet: settled,
    /** Moves the clock, and waits until what is due then is done. */
    async later(ms: number): Promise<void> {
      clock.offsetMs += ms;
      await settled();
    },
    /** When something has to be done next, in ms from now; undefined: there is nothing left. */
    next(): number | undefined {
      const times = files.next.flatMap((statement) => (statement.get() as { next: number | null }).next ?? []);
      return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - clock.now());
    },
    async restartApp(): Promise<void> {
      appRelay.leadTo(undefined);
      await app[Symbol.asyncDispose]();
      app = await openApp();
    },
    async restartSimulator(): Promise<void> {
      simRelay.leadTo(undefined);
      await simulator.close();
      simulator = await openSimulator();
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await simulator.close();
      files.own.close();
      files.sims.close();
      await appRelay[Symbol.asyncDispose]();
      await simRelay[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
export type PaymentWorld = Awaited<ReturnType<typeof openPaymentWorld>>;
