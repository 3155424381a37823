/**
 * What can go wrong between a payment and its receiver, a row each: the situation, and the checks that a correct receiver
 * passes. A receiver that trusts result_code passes none of them.
 */
import { expect } from "vitest";
import { writeXmlV2 } from "../../../../server/payment-wire/xml-v2.ts";
import {
  failed,
  settlements,
  storedState,
  expectOpen,
  expectSettledByQuery,
  paid,
  forged,
  foreign,
  malformed,
  otherState,
  wrongAmount,
  noReply,
  type Check,
} from "./notification-checks.ts";
import { acknowledged } from "../payments-app.ts";
import { changing, failing, refusing, saying } from "../../trip-wire.ts";

export const notificationFaults: readonly (readonly [row: string, check: Check])[] = [
  ["a signature by another key", forged((fields) => ({ ...fields, sign: "0".repeat(32) }))],
  ["a field that was changed after signing", forged((fields) => ({ ...fields, bank_type: "OTHER_BANK" }))],
  ["no signature", forged(({ sign, ...fields }) => fields)],
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
      expect([status, body.Message]).toEqual([403, expect.stringContaining("Refund it instead")]);
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
