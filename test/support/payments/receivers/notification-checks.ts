/** What the rows of notification-faults.ts check, and the situations that several of them have in common. */
import { expect } from "vitest";
import type { HearthEvents } from "../../../../server/contract/console/traffic/events.ts";
import type { ApiOrder } from "../../../../server/contract/app/payments.ts";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { writeXmlV2 } from "../../../../server/payment-wire/xml-v2.ts";
import { acknowledged, type PaymentsApp } from "../payments-app.ts";
import { changing } from "../../trip-wire.ts";

export type Check = (payments: PaymentsApp) => Promise<void>;

export const failed = expect.stringContaining("<return_code><![CDATA[FAIL]]>") as string;

/** How often an order was settled, by what was published; from now on. */
export function settlements({ app }: PaymentsApp) {
  const told: HearthEvents["payment.settled"][] = [];
  app.bus.subscribe(({ type, data }) => {
    if (type === "payment.settled") told.push(data as HearthEvents["payment.settled"]);
  });
  return (order: ApiOrder) => told.filter(({ order_id }) => order_id === order.id).length;
}

/** As it was stored, without asking the provider. */
export async function storedState({ stored }: PaymentsApp, { id }: ApiOrder) {
  const { trade_state, settled_at } = await stored(id);
  return [trade_state, settled_at !== undefined];
}

export async function expectOpen(payments: PaymentsApp, order: ApiOrder): Promise<void> {
  expect(await storedState(payments, order)).toEqual(["NOTPAY", false]);
}

/** The next notification of this order settles it, and query order was asked before it was acknowledged. */
export async function expectSettledByQuery(
  payments: PaymentsApp,
  order: ApiOrder,
  changed: Readonly<Record<string, string>> = {},
) {
  const before = payments.trip.count("queryOrder");
  const reply = await payments.notify(order, changed);
  expect(reply).toMatchObject({ status: 200, text: acknowledged });
  expect(payments.trip.count("queryOrder")).toBeGreaterThan(before);
  expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
}

export async function paid(payments: PaymentsApp): Promise<ApiOrder> {
  const order = await payments.place();
  await payments.pay(order);
  return order;
}

export const forged =
  (change: (fields: Record<string, string>) => Record<string, string>): Check =>
  async (payments) => {
    const order = await payments.place();
    const fields = change(await payments.notification(order));
    expect(await payments.post(writeXmlV2(fields))).toMatchObject({ status: 200, text: failed });
    expect(payments.trip.count("queryOrder")).toBe(0);
    await expectOpen(payments, order);
  };

export const foreign =
  (fields: Readonly<Record<string, string>>): Check =>
  async (payments) => {
    const order = await paid(payments);
    expect(await payments.notify(order, fields)).toMatchObject({ status: 200, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };

export const malformed =
  (write: (xml: string) => string, status: number): Check =>
  async (payments) => {
    const order = await paid(payments);
    const xml = writeXmlV2(await payments.notification(order));
    expect(await payments.post(write(xml))).toMatchObject({ status, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };

/** The query says another state than a payment, however much the notification says SUCCESS. */
export const otherState =
  (tradeState: TradeState, acknowledges: boolean): Check =>
  async (payments) => {
    const order = await payments.place();
    payments.trip.next("queryOrder", changing({ tradeState }));
    const reply = await payments.notify(order);
    expect(reply).toMatchObject({ status: 200, text: acknowledges ? acknowledged : failed });
    expect(await storedState(payments, order)).toEqual([tradeState, false]);
  };

export const wrongAmount =
  (notified: Readonly<Record<string, string>>, queried: object): Check =>
  async (payments) => {
    const order = await paid(payments);
    payments.trip.always("queryOrder", changing(queried));
    expect(await payments.notify(order, notified)).toMatchObject({ status: 200, text: failed });
    payments.trip.always("queryOrder", undefined);
    await expectOpen(payments, order);
    // It stays so, whoever asks, until a person has looked at it.
    expect(await payments.get(order.id)).toMatchObject({ trade_state: "NOTPAY", amount_mismatch: true });
    expect(await payments.notify(order)).toMatchObject({ text: failed });
    await payments.console(payments.app, "POST", `/orders/${String(order.id)}/queries`, { lift_mismatch: true });
    expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
  };

export const noReply =
  (outcome: Parameters<PaymentsApp["trip"]["next"]>[1]): Check =>
  async (payments) => {
    const order = await paid(payments);
    payments.trip.next("queryOrder", outcome);
    expect(await payments.notify(order)).toMatchObject({ status: 200, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };
