/**
 * What can go wrong between a payment and its receiver, a row each: the situation, and the checks that a correct receiver
 * passes. A receiver that trusts result_code passes none of them.
 */
import { expect } from "vitest";
import type { HearthEvents } from "../../server/contract/events.ts";
import type { Order } from "../../server/contract/payments.ts";
import type { TradeState } from "../../server/contract/payment-terms.ts";
import { writeXmlV2 } from "../../server/payment-wire/xml-v2.ts";
import { acknowledged, type PaymentsApp } from "./payments-app.ts";
import { changing, failing, refusing, saying } from "./trip-wire.ts";

type Check = (payments: PaymentsApp) => Promise<void>;

const failed = expect.stringContaining("<return_code><![CDATA[FAIL]]>") as string;

/** How often an order was settled, by what was published; from now on. */
function settlements({ app }: PaymentsApp) {
  const told: HearthEvents["payment.settled"][] = [];
  app.bus.subscribe(({ type, data }) => {
    if (type === "payment.settled") told.push(data as HearthEvents["payment.settled"]);
  });
  return (order: Order) => told.filter(({ order_id }) => order_id === order.id).length;
}

/** As it was stored, without asking the provider. */
async function storedState({ stored }: PaymentsApp, { id }: Order) {
  const { trade_state, settled_at } = await stored(id);
  return [trade_state, settled_at !== undefined];
}

async function expectOpen(payments: PaymentsApp, order: Order): Promise<void> {
  expect(await storedState(payments, order)).toEqual(["NOTPAY", false]);
}

/** The next notification of this order settles it, and query order was asked before it was acknowledged. */
async function expectSettledByQuery(
  payments: PaymentsApp,
  order: Order,
  changed: Readonly<Record<string, string>> = {},
) {
  const before = payments.trip.count("queryOrder");
  const reply = await payments.notify(order, changed);
  expect(reply).toMatchObject({ status: 200, text: acknowledged });
  expect(payments.trip.count("queryOrder")).toBeGreaterThan(before);
  expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
}

async function paid(payments: PaymentsApp): Promise<Order> {
  const order = await payments.place();
  await payments.pay(order);
  return order;
}

const forged =
  (change: (fields: Record<string, string>) => Record<string, string>): Check =>
  async (payments) => {
    const order = await payments.place();
    const fields = change(await payments.notification(order));
    expect(await payments.post(writeXmlV2(fields))).toMatchObject({ status: 200, text: failed });
    expect(payments.trip.count("queryOrder")).toBe(0);
    await expectOpen(payments, order);
  };

const foreign =
  (fields: Readonly<Record<string, string>>): Check =>
  async (payments) => {
    const order = await paid(payments);
    expect(await payments.notify(order, fields)).toMatchObject({ status: 200, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };

const malformed =
  (write: (xml: string) => string, status: number): Check =>
  async (payments) => {
    const order = await paid(payments);
    const xml = writeXmlV2(await payments.notification(order));
    expect(await payments.post(write(xml))).toMatchObject({ status, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };

/** The query says another state than a payment, however much the notification says SUCCESS. */
const otherState =
  (tradeState: TradeState, acknowledges: boolean): Check =>
  async (payments) => {
    const order = await payments.place();
    payments.trip.next("queryOrder", changing({ tradeState }));
    const reply = await payments.notify(order);
    expect(reply).toMatchObject({ status: 200, text: acknowledges ? acknowledged : failed });
    expect(await storedState(payments, order)).toEqual([tradeState, false]);
  };

const wrongAmount =
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

const noReply =
  (outcome: Parameters<PaymentsApp["trip"]["next"]>[1]): Check =>
  async (payments) => {
    const order = await paid(payments);
    payments.trip.next("queryOrder", outcome);
    expect(await payments.notify(order)).toMatchObject({ status: 200, text: failed });
    await expectOpen(payments, order);
    await expectSettledByQuery(payments, order);
  };

export const notificationFaults: readonly (readonly [row: string, check: Check])[] = [
  ["a signature by another key", forged((fields) => ({ ...fields, sign: "0".repeat(32) }))],
  ["a field that was changed after signing", forged((fields) => ({ ...fields, bank_type: "OTHER_BANK" }))],
  ["no signature", forged(({ sign, ...fields }) => (void sign, fields))],
  ["a signature of the type that was not ordered", forged((fields) => ({ ...fields, sign: "0".repeat(64) }))],
  [
    "a rightly signed SUCCESS of an order that is not paid",
    async (payments) => {
      const order = await payments.place();
      expect(await payments.notify(order)).toMatchObject({ status: 200, text: failed });
      expect(payments.trip.count("queryOrder")).toBe(1);
      await expectOpen(payments, order);
      await payments.pay(order);
      await expectSettledByQuery(payments, order);
    },
  ],
  [
    "ten copies one after another",
    async (payments) => {
      const count = settlements(payments);
      const order = await paid(payments);
      for (let i = 0; i < 10; i++) expect(await payments.notify(order)).toMatchObject({ text: acknowledged });
      expect(count(order)).toBe(1);
    },
  ],
  [
    "ten copies at the same time",
    async (payments) => {
      const count = settlements(payments);
      const order = await paid(payments);
      const replies = await Promise.all(Array.from({ length: 10 }, () => payments.notify(order)));
      expect(replies.map(({ text }) => text)).toContain(acknowledged);
      expect(count(order)).toBe(1);
      expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
    },
  ],
  [
    "a payment's notification after that of its refund",
    async (payments) => {
      const count = settlements(payments);
      const order = await paid(payments);
      await payments.get(order.id);
      const { data } = (await payments.refund(order.id)).body;
      await payments.notifyRefund(order, data.out_refund_no, "SUCCESS");
      expect(await payments.notify(order)).toMatchObject({ text: acknowledged });
      expect([await storedState(payments, order), count(order)]).toEqual([["REFUND", true], 1]);
    },
  ],
  [
    "a payment's notification after the order was closed",
    async (payments) => {
      const order = await payments.place();
      await payments.call("POST", `/orders/${String(order.id)}/closures`);
      const before = payments.trip.count("queryOrder");
      expect(await payments.notify(order)).toMatchObject({ text: acknowledged });
      expect(payments.trip.count("queryOrder")).toBe(before + 1);
      expect(await storedState(payments, order)).toEqual(["CLOSED", false]);
    },
  ],
  [
    "no notification at all",
    async (payments) => {
      const order = await paid(payments);
      await payments.later(10_000);
      expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
    },
  ],
  [
    "a notification that comes after the client has asked, and after the order's end",
    async (payments) => {
      const count = settlements(payments);
      const order = await paid(payments);
      expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
      await payments.later(3 * 3_600_000);
      expect(await payments.notify(order)).toMatchObject({ text: acknowledged });
      expect(count(order)).toBe(1);
    },
  ],
  ["a wrong amount in the notification", wrongAmount({ total_fee: "1" }, {})],
  ["a wrong amount in query order", wrongAmount({}, { total: 1 })],
  ["the same wrong amount in both", wrongAmount({ total_fee: "1" }, { total: 1 })],
  ["another currency in the notification", wrongAmount({ fee_type: "USD" }, {})],
  ["another currency in query order", wrongAmount({}, { currency: "USD" })],
  ["another merchant", foreign({ mch_id: "1900000110" })],
  ["another app", foreign({ appid: "wx0000000000000000" })],
  ["an order that is not here", foreign({ out_trade_no: "HNOTHERE" })],
  ["another transaction_id than that of query order", foreign({ transaction_id: "4200000000202601019999999999" })],
  ["a body that is no XML", malformed(() => "no markup", 400)],
  ["a document type", malformed((xml) => `<!DOCTYPE xml [<!ENTITY a "b">]>${xml}`, 400)],
  ["a body of 10 MB", malformed((xml) => xml.replace("</xml>", `<a>${"x".repeat(10_000_000)}</a></xml>`), 400)],
  ["a field that is there twice", malformed((xml) => xml.replace("</xml>", "<sign>x</sign></xml>"), 400)],
  [
    "unknown fields that are signed with the others, which must pass",
    async (payments) => {
      const order = await paid(payments);
      await expectSettledByQuery(payments, order, { coupon_fee_0: "1", a_new_field: "tomorrow's", Zeta: "Ω&<>" });
    },
  ],
  [
    "return_code FAIL, unsigned, with result_code SUCCESS in it",
    async (payments) => {
      const order = await payments.place();
      const { sign, ...fields } = await payments.notification(order, { return_code: "FAIL", return_msg: "lost" });
      void sign;
      expect(await payments.post(writeXmlV2(fields))).toMatchObject({ status: 200, text: acknowledged });
      await expectOpen(payments, order);
    },
  ],
  [
    "result_code FAIL of an order that is paid",
    async (payments) => {
      const order = await paid(payments);
      await expectSettledByQuery(payments, order, { result_code: "FAIL", err_code: "BANKERROR" });
    },
  ],
  ["trade_state NOTPAY behind a SUCCESS", otherState("NOTPAY", false)],
  ["trade_state USERPAYING behind a SUCCESS", otherState("USERPAYING", false)],
  ["trade_state PAYERROR behind a SUCCESS", otherState("PAYERROR", true)],
  ["trade_state CLOSED behind a SUCCESS", otherState("CLOSED", true)],
  ["trade_state REVOKED behind a SUCCESS", otherState("REVOKED", true)],
  ["trade_state REFUND behind a SUCCESS: paid and refunded before it was known", otherState("REFUND", true)],
  [
    "ORDERNOTEXIST at first",
    async (payments) => {
      const order = await paid(payments);
      payments.trip.next("queryOrder", refusing("ORDERNOTEXIST"));
      await expectSettledByQuery(payments, order);
      expect(payments.trip.count("queryOrder")).toBe(2);
    },
  ],
  ["a query that nobody answers", noReply(failing())],
  ["a query that is refused with SYSTEMERROR", noReply(failing("SYSTEMERROR"))],
  ["a query that is refused", noReply(refusing("SIGNERROR"))],
  [
    "a payment that arrives while the order is being closed",
    async (payments) => {
      const order = await payments.place();
      payments.trip.next("closeOrder", async () => {
        await payments.pay(order);
        return saying(undefined);
      });
      const { status, body } = await payments.call("POST", `/orders/${String(order.id)}/closures`);
      expect([status, body.Message]).toEqual([403, expect.stringContaining("refund it instead")]);
      expect(await storedState(payments, order)).toEqual(["SUCCESS", true]);
    },
  ],
  [
    "a payment by code whose reply says SUCCESS while the buyer is at the password",
    async (payments) => {
      const auth_code = await payments.code("asks-password");
      payments.trip.next("payByCode", async (real) => {
        await real();
        return saying({ tradeState: "SUCCESS" });
      });
      const { status, body } = await payments.create({ trade_type: "MICROPAY", auth_code });
      expect([status, body.data.trade_state, body.data.settled_at]).toEqual([201, "USERPAYING", undefined]);
    },
  ],
  [
    "a refund that is accepted, and not finished",
    async (payments) => {
      const order = await paid(payments);
      await payments.get(order.id);
      payments.trip.always("queryRefund", changing({ status: "PROCESSING" }));
      const { data } = (await payments.refund(order.id)).body;
      expect(data).toMatchObject({ accepted: true, status: "PROCESSING" });
      expect(await payments.notifyRefund(order, data.out_refund_no, "SUCCESS")).toMatchObject({ text: failed });
      expect(await storedState(payments, order)).toEqual(["REFUND", true]);
    },
  ],
];
