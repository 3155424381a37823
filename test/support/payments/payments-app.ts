/**
 * The application server with orders in it: placing, paying at the simulator, notifying, looking at what was stored. Its
 * clock stands still unless the test moves it, so that nothing is reconciled by the way.
 */
import type { Logger } from "pino";
import { expect } from "vitest";
import type { z } from "zod";
import { refusalHeader } from "../../../server/contract/app/hearth-headers.ts";
import type { HistoryEntry, ApiOrder, ApiRefund, StoredOrderDetail } from "../../../server/contract/app/payments.ts";
import type { simPaymentCodeSchema } from "../../../server/contract/provider/sim-client.ts";
import type { SimOrder } from "../../../server/contract/provider/sim-orders.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import type { StatusPackage } from "../../../server/contract/app/status-package.ts";
import { sealRefundInfo } from "../../../server/payment-wire/refund-info-v2.ts";
import { signV2 } from "../../../server/payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../../server/payment-wire/xml-v2.ts";
import type { NotificationReader, PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import type { PaymentTestDoubles } from "../../../server/app/payments/feature.ts";
import type { AdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { callConsole, json } from "../app/control-calls.ts";
import { startTestApp, type TestApp } from "../app/test-app.ts";
import { patienceMs } from "../eventually.ts";
import { tripWire } from "../trip-wire.ts";
import { patientProvider } from "./patient-provider.ts";
import { allowTime } from "./receivers/receiver-checks.ts";
import { watchSettling } from "./settling.ts";

export const acknowledged =
  "<xml><return_code><![CDATA[SUCCESS]]></return_code><return_msg><![CDATA[OK]]></return_msg></xml>";

interface Options {
  /** What the simulator sends by itself arrives. Else a test sends what it wants to arrive. */
  readonly notified?: boolean;
  /** Its calls may take no longer than by default. Else they have all the time of a test: nothing is asked again while the clock stands. */
  readonly hurried?: boolean;
  readonly settings?: Partial<Settings>;
  readonly createSettle?: PaymentTestDoubles["createSettle"];
  /** Reads payment notifications in place of the real reader. */
  readonly read?: NotificationReader["readPaymentNotification"];
  readonly folder?: string;
  /** That of a run before, which goes on: a new one would stand at the time of this start. */
  readonly clock?: AdjustableClock;
  readonly log?: Logger;
}

/** Nobody listens there. */
const nowhere = "http://127.0.0.1:1";

export const apiV2Key = "hearthApiV2Key0123456789abcdef01";

type Fields = Readonly<Record<string, string>>;
type Answer<Data> = { readonly status: number; readonly headers: Headers; readonly body: Body<Data> };
interface Body<Data> {
  readonly status: StatusPackage;
  readonly data: Data;
  readonly Message: string;
  readonly code: string;
  readonly details?: readonly { readonly field: string; readonly problem: string }[];
}

export async function startPaymentsApp({
  notified = false,
  hurried = false,
  settings = {},
  createSettle,
  read,
  folder,
  clock,
  log,
}: Options = {}) {
  const trip = tripWire();
  const settling = watchSettling(createSettle);
  const between = (provider: PaymentProvider) => ({
    ...trip.between(hurried ? provider : patientProvider(provider)),
    ...(read && {
      readerOf: (version: PayVersion) => ({ ...provider.readerOf(version), readPaymentNotification: read }),
    }),
  });
  const app: TestApp = await startTestApp({
    settings: {
      session_ttl_seconds: 30 * 86_400,
      ...(!notified && { payment_notify_url: nowhere }),
      ...(!hurried && { payment_timeout_ms: patienceMs }),
      ...settings,
    },
    payments: {
      provider: between,
      createSettle: settling.createSettle,
      ...(!hurried && { notificationPatienceMs: patienceMs }),
    },
    ...(folder !== undefined && { folder }),
    ...(clock && { clock }),
    ...(log && { log }),
  });
  await allowTime(app.provider.url);
  const session = await app.loggedIn("buyer");

  async function call<Data>(method: string, path: string, body?: unknown, headers: Record<string, string> = session) {
    const response = await fetch(`${app.url}/api${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const read = (await response.json()) as Body<Data>;
    return { status: response.status, headers: response.headers, body: read } satisfies Answer<Data>;
  }
  async function sim<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const response = await fetch(`${app.provider.url}/sim${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as Data;
  }
  const create = (more: object = {}, headers: Record<string, string> = {}) =>
    call<ApiOrder>("POST", "/orders", { description: "Two tickets", amount: 101, ...more }, { ...session, ...headers });
  /** What the reconcile job has to do until then is done. */
  async function later(ms: number): Promise<void> {
    app.clock.offsetMs += ms;
    await expect.poll(async () => [await dueNow(), settling.isRunning()]).toEqual([0, false]);
  }
  async function dueNow(): Promise<number> {
    const now = app.clock.now();
    const orders = await app.db.selectFrom("orders").select("id").where("next_query_at", "<=", now).execute();
    const refunds = await app.db.selectFrom("order_refunds").select("id").where("next_query_at", "<=", now).execute();
    return orders.length + refunds.length;
  }
  const stored = (id: number) => json<StoredOrderDetail>(callConsole(app, "GET", `/orders/${String(id)}`));

  /** A signed notification of version 2, as the provider sends it, with some fields changed; an empty one is left out. */
  async function notification(order: Pick<ApiOrder, "out_trade_no">, changed: Fields = {}, key = apiV2Key) {
    const { order: known } = await sim<{ order: SimOrder }>("GET", `/orders/${order.out_trade_no}`);
    const fields = {
      return_code: "SUCCESS",
      appid: known.app_id,
      mch_id: known.mch_id,
      nonce_str: "5d2b6c2a8db53831f7eda20af46e531c",
      result_code: "SUCCESS",
      openid: known.openid ?? "",
      trade_type: known.trade_type,
      bank_type: "OTHERS",
      total_fee: String(known.total),
      cash_fee: String(known.total),
      transaction_id: known.transaction_id ?? `4200000000${String(known.id).padStart(18, "0")}`,
      out_trade_no: known.out_trade_no,
      time_end: "20260101080000",
      ...changed,
    };
    return { ...fields, sign: signV2(fields, key) };
  }
  async function post(body: RequestInit["body"], path = "notifications", headers: Record<string, string> = {}) {
    const response = await fetch(`${app.url}/api/payments/${path}`, {
      method: "POST",
      headers: { "Content-Type": "text/xml", ...headers },
      ...(body !== undefined && { body }),
    });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      refusal: response.headers.get(refusalHeader),
      text: await response.text(),
    };
  }

  return {
    app,
    trip,
    session,
    call,
    sim,
    create,
    later,
    stored,
    /** A new order that can be paid. */
    place: async (more: object = {}): Promise<ApiOrder> => (await create(more)).body.data,
    /** The buyer pays at the simulator. */
    pay: (order: Pick<ApiOrder, "out_trade_no">) => sim<SimOrder>("POST", `/orders/${order.out_trade_no}/pay`),
    get: async (id: number) => (await call<ApiOrder>("GET", `/orders/${String(id)}`)).body.data,
    refund: (id: number, body: object = {}, headers: Record<string, string> = {}) =>
      call<ApiRefund>("POST", `/orders/${String(id)}/refunds`, body, { ...session, ...headers }),
    /** A payment code of the buyer. */
    code: async (outcome?: string) =>
      (
        await sim<z.infer<typeof simPaymentCodeSchema>>("POST", "/users/payer/payment-codes", {
          ...(outcome !== undefined && { outcome }),
        })
      ).auth_code,
    /** What the history says was decided, in words. */
    decisions: async (id: number) =>
      (await stored(id)).history.flatMap(({ kind, reason }: HistoryEntry) => (kind === "decision" ? [reason] : [])),
    notification,
    post,
    notify: async (order: Pick<ApiOrder, "out_trade_no">, changed: Fields = {}) =>
      post(writeXmlV2(await notification(order, changed))),
    notifyRefund: async (
      order: Pick<ApiOrder, "out_trade_no">,
      outRefundNo: string,
      status: string,
      key = apiV2Key,
    ) => {
      const { appid, mch_id } = await notification(order);
      const inner = { out_trade_no: order.out_trade_no, out_refund_no: outRefundNo, refund_status: status };
      const req_info = sealRefundInfo(writeXmlV2(inner, "root"), key);
      const outer = { return_code: "SUCCESS", appid, mch_id, nonce_str: "n", req_info };
      return post(writeXmlV2(outer), "refund-notifications");
    },
    console: callConsole,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
export type PaymentsApp = Awaited<ReturnType<typeof startPaymentsApp>>;
