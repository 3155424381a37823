/**
 * The application server and the simulator as two programs of their own that speak HTTP, each of which can be stopped and
 * opened again over its database. One clock, which stands unless it is moved, serves both.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { OrdersTable } from "../../../../server/app/payments/store/orders-tables.ts";
import type { PaymentTestDoubles } from "../../../../server/app/payments/feature.ts";
import type { Settings } from "../../../../server/contract/process/settings.ts";
import { settingsSchema } from "../../../../server/contract/process/settings.ts";
import { openProvider } from "../../../../server/provider/open-provider.ts";
import { callConsole } from "../../app/control-calls.ts";
import { recordedLog } from "../../quiet-log.ts";
import { standingClock } from "../../standing-clock.ts";
import { openRelay } from "../relay.ts";
import { watchSettling } from "../settling.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { consoleToken } from "../../app/console-token.ts";
import { noApiDocs } from "../../app/no-api-docs.ts";
import { startTestApp } from "../../app/test-app.ts";
import { onPostgres, openTables } from "../../store/stored-tables.ts";
import { dropTestDatabase, testDatabaseUrl } from "../../store/test-database.ts";
import { patienceMs } from "../../eventually.ts";

interface Options {
  readonly settings?: Partial<Settings>;
  readonly createSettle?: PaymentTestDoubles["createSettle"];
}

export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
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
  where paid_at is not null and trade_type <> 'MICROPAY' and paid_at <= ? and not exists
  (select 1 from pay_notifications as told where told.out_trade_no = pay_orders.out_trade_no and refund_id = '' and state <> 'unscheduled')`;
const nextOnes = (table: string, column: string, also = "") =>
  `select min(${column}) as next from ${table} where ${column} is not null ${also}`;

/** Written by the database itself: no code of the server decides what is seen. */
const seeMoves = () =>
  onPostgres()
    ? `create table seen_moves (id bigserial primary key, order_id bigint, source text, target text, settles int);
       create function see_move() returns trigger language plpgsql as $$ begin
         insert into seen_moves (order_id, source, target, settles) values
           (new.id, old.trade_state, new.trade_state, (old.settled_at is distinct from new.settled_at)::int);
         return null;
       end $$;
       create trigger see_moves after update on orders for each row
         when (old.trade_state <> new.trade_state or old.settled_at is distinct from new.settled_at)
         execute function see_move()`
    : `create table seen_moves (id integer primary key, order_id integer, source text, target text, settles integer);
       create trigger see_moves after update on orders
         when old.trade_state <> new.trade_state or old.settled_at is not new.settled_at begin
         insert into seen_moves (order_id, source, target, settles) values
           (new.id, old.trade_state, new.trade_state, old.settled_at is not new.settled_at);
       end`;

export async function openPaymentWorld({ settings: changed = {}, createSettle }: Options = {}) {
  const folder = temporaryFolder();
  const clock = standingClock();
  const { log, lines } = recordedLog();
  const [appRelay, simRelay] = [await openRelay(), await openRelay()];
  const settings: Settings = {
    ...settingsSchema.parse({
      data_dir: folder.path,
      app_port: 0,
      provider_port: 0,
      database_url: await testDatabaseUrl(folder.path),
    }),
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
  const own = await openTables(folder.path, "app");
  const sims = await openTables(folder.path, "provider");
  await own.run(seeMoves());

  async function openSimulator() {
    const opened = await openProvider({ consoleToken, apiDocs: noApiDocs, settings, log, clock });
    simRelay.leadTo(opened.url);
    return opened;
  }

  async function openApp() {
    const provider = {
      ...simulator,
      url: simRelay.url,
      payments: {
        ...simulator.payments,
        url: simRelay.url,
        keysV3: () => simulator.payments.keysV3(),
        keysAlipay: () => simulator.payments.keysAlipay(),
      },
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

  /** How much is due of each kind. */
  const due = async () =>
    (
      await Promise.all(
        (
          [
            [own, dueOrders],
            [own, dueRefunds],
            [sims, dueNotifications],
            [sims, unsent],
          ] as const
        ).map(([tables, query]) => tables.all<{ due: number }>(query, clock.now())),
      )
    ).map(([row]) => row?.due ?? 0);

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

  async function settled(): Promise<void> {
    for (const until = performance.now() + patienceMs; ; await wait(2)) {
      const counts = await due();
      if (counts.every((count) => count === 0) && !settling.isRunning()) return;
      if (performance.now() > until) throw new Error(`what is due stays due: ${counts.join()}`);
    }
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
    orders: () => own.all<Selectable<OrdersTable>>("select * from orders order by id"),
    /** What the database has seen of an order, in order. */
    moves: (id: number) =>
      own.all<{ readonly source: string; readonly target: string; readonly settles: 0 | 1 }>(
        "select source, target, settles from seen_moves where order_id = ? order by id",
        id,
      ),
    /** Waits until nothing is due that has a time. */
    quiet: settled,
    /** Moves the clock, and waits until what is due then is done. */
    async later(ms: number): Promise<void> {
      clock.offsetMs += ms;
      await settled();
    },
    /** When something has to be done next, in ms from now; undefined: there is nothing left. */
    async next(): Promise<number | undefined> {
      const rows = await Promise.all([
        own.all<{ next: number | null }>(nextOnes("orders", "next_query_at")),
        own.all<{ next: number | null }>(nextOnes("order_refunds", "next_query_at")),
        sims.all<{ next: number | null }>(nextOnes("pay_notifications", "due_at", "and state = 'pending'")),
      ]);
      const times = rows.flatMap(([row]) => row?.next ?? []);
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
      await own[Symbol.asyncDispose]();
      await sims[Symbol.asyncDispose]();
      await dropTestDatabase(folder.path);
      await appRelay[Symbol.asyncDispose]();
      await simRelay[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
export type PaymentWorld = Awaited<ReturnType<typeof openPaymentWorld>>;
