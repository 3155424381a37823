/** The steps of each row of a check, and the required results. The contract holds the rows' texts. */
import type { receiverRows } from "../../../contract/provider/checks/receiver-rows.ts";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { Case } from "./case.ts";
import { NotJudged } from "./problems.ts";
import { productRows } from "./product-rows.ts";
import { pushRows } from "./push-rows.ts";
import { refundRows } from "./refund-rows.ts";

export type RowRun = (order: Case) => Promise<void>;

/** `in-time` is judged from all other rows. */
export type TriedRow = Exclude<keyof typeof receiverRows, "in-time">;

/** Uses a paid order, so that a receiver that only checks the query must also detect it. */
const refusedRow =
  (what: string, sending: SimSending): RowRun =>
  async (order) => {
    await order.pay();
    const sent = await order.send(sending);
    order.refuses(sent, what);
    await order.untouched(`the only evidence was ${what}`);
    await order.verifiesFirst(sent);
    await order.genuineFollows();
  };

const forged = (what: string, how: SimFaultOf<"notification_signature">["params"]["how"]) =>
  refusedRow(what, { kind: "notification_signature", params: { about: "payment", how } });

const foreign = (what: string, field: SimFaultOf<"notification_foreign">["params"]["field"]) =>
  refusedRow(what, { kind: "notification_foreign", params: { about: "payment", field } });

const malformed = (what: string, how: SimFaultOf<"notification_malformed">["params"]["how"]) =>
  refusedRow(what, { kind: "notification_malformed", params: { about: "payment", how } });

const success: SimSending = { kind: "forged_success", params: {} };
const copies = (concurrent: boolean): SimSending => ({
  kind: "notification_duplicate",
  params: { about: "payment", copies: 5, concurrent, gap_ms: 0 },
});

interface Amounts {
  /** By how many fen the notification, and the query, exceed the true amount. */
  readonly notified?: number;
  readonly asked?: number;
  readonly currency?: string;
}

const wrongAmount =
  (what: string, { notified, asked, currency }: Amounts): RowRun =>
  async (order) => {
    if (asked !== undefined) await order.lie({ kind: "wrong_amount", params: { where: "query", by: asked } });
    await order.pay();
    const sending: SimSending =
      notified === undefined && currency === undefined
        ? { kind: "genuine", params: {} }
        : { kind: "wrong_amount", params: { by: notified ?? 0, currency } };
    order.refuses(await order.send(sending), what);
    // A backend that looks for payments by itself may have seen the true amount.
    const mayKnowBetter = asked === undefined && order.reconcileWithinMs > 0;
    await (mayKnowBetter ? order.untouched("the amount was wrong") : order.notSettled("the amount was wrong"));
  };

type ClaimedState = SimFaultOf<"trade_state">["params"]["state"];

/** An end without a payment: nothing is expected any more, so either answer is correct. */
const endedAs =
  (state: ClaimedState): RowRun =>
  async (order) => {
    await order.lie({ kind: "trade_state", params: { state } });
    const [sent] = await order.send(success);
    if (sent?.claimed === "yes") await order.mustHaveAsked();
    if (sent?.claimed === "nothing") order.fail(`Reply: ${sent.words}.`, true);
    await order.notSettled(`query order returned ${state}`);
  };

const accepted =
  (sending: SimSending, what: string): RowRun =>
  async (order) => {
    await order.pay();
    order.accepts(await order.send(sending), what);
    await order.settledOnce();
  };

const signedBy =
  (to: SimFaultOf<"key_switched">["params"]["to"], key: string): RowRun =>
  async (order) => {
    if (!order.isSwitching) throw new NotJudged("both keys sign only in the mode switching: PUT /sim/platform-key");
    await accepted(
      { kind: "key_switched", params: { about: "payment", to } },
      `a notification that ${key} signed`,
    )(order);
  };

const genuine: SimSending = { kind: "genuine", params: {} };
const orderquery = ["orderquery" as const];
const theNotification = "the notification of the payment";

async function sayYes(order: Case) {
  await order.pay();
  const [sent] = await order.genuine();
  if (sent?.claimed !== "yes") throw new NotJudged(`it did not accept: ${sent?.words ?? "nothing was sent"}`);
  return sent;
}

export const rowRuns: Readonly<Record<TriedRow, RowRun>> = {
  genuine: accepted(genuine, theNotification),

  async "answer-form"(order) {
    const sent = await sayYes(order);
    if (sent.accepted) return;
    const why = sent.verdict === "wrong_status" ? "its status is undefined" : "its body does not mean success";
    order.fail(`It accepted, but ${why}, so the platform sends again: ${sent.words}.`);
  },

  async "query-first"(order) {
    await sayYes(order);
    await order.mustHaveAsked();
  },

  "key-certificate": signedBy("certificate", "the certificate"),
  "key-public": signedBy("public_key", "the public key"),

  "forged-wrong-key": forged("one signed with the wrong key", "wrong_key"),
  "forged-changed-field": forged("one changed after signing", "changed_field"),
  "forged-missing": forged("one without a signature", "missing"),
  "forged-other-type": forged("one with a signature of another type", "other_type"),
  "forged-probe": forged("a probe (WECHATPAY/SIGNTEST/)", "signtest"),
  "forged-serial": forged("one with an unknown serial number", "unknown_serial"),
  "forged-past": forged("one that is 6 minutes old", "timestamp_past"),
  "forged-future": forged("one dated 6 minutes in the future", "timestamp_future"),
  "forged-tag": forged("one with a changed encrypted part", "tampered_tag"),
  "forged-aad": forged("one with other associated data", "tampered_aad"),

  async "forged-unpaid"(order) {
    const sent = await order.send(success);
    order.refuses(sent, "a SUCCESS for an unpaid order");
    await order.notSettled("it is not paid");
    await order.verifiesFirst(sent);
    await order.genuineFollows();
  },

  async "duplicate-serial"(order) {
    await order.pay();
    order.accepts(await order.send(copies(false)), "one of five copies");
    await order.settledOnce();
  },

  async "duplicate-concurrent"(order) {
    await order.pay();
    // All copies have to come before the first of them is settled.
    await order.lie({ kind: "slow_answer", params: { calls: orderquery, when: "after", delay_ms: 300 } });
    await order.send(copies(true));
    await order.tellTruth();
    order.accepts(await order.genuine(), "the following copy");
    await order.settledOnce();
  },

  async "late-copy"(order) {
    await order.pay();
    order.accepts(await order.genuine(), theNotification);
    await order.settledOnce();
    await order.lie({ kind: "trade_state", params: { state: "REFUND" } });
    order.accepts(await order.genuine(), "the same once more after the refund");
    await order.notTwice();
  },

  ...refundRows,

  async lost(order) {
    if (order.reconcileWithinMs === 0) throw new NotJudged("the time to find a payment is not set");
    if (!order.hasStatus) throw new NotJudged("the status of orders is not set");
    await order.pay();
    await order.settledWithin(order.reconcileWithinMs);
  },

  async delayed(order) {
    await order.pay();
    await order.pause(1_000);
    order.accepts(await order.genuine(), "a late notification");
    await order.settledOnce();
  },

  async retry(order) {
    await order.lie({ kind: "http_status", params: { calls: orderquery, when: "before", status: 500 } });
    await order.pay();
    const sent = await order.genuine();
    order.refuses(sent, "a notification while query order failed");
    await order.notSettled("query order had not answered");
    await order.verifiesFirst(sent);
    await order.tellTruth();
    order.accepts(await order.genuine(), "the repeated notification");
    await order.settledOnce();
  },

  "amount-more": wrongAmount("a notification of 100 fen more", { notified: 100 }),
  "amount-less": wrongAmount("a notification of 1 fen less", { notified: -1 }),
  "amount-query": wrongAmount("a notification although query order returned 1 fen less", { asked: -1 }),
  "amount-both": wrongAmount("a payment of 1 fen less", { notified: -1, asked: -1 }),
  "amount-currency": wrongAmount("a notification of another currency", { currency: "USD" }),

  "foreign-merchant": foreign("another merchant's notification", "mch_id"),
  "foreign-app": foreign("another app's notification", "appid"),
  "foreign-order": foreign("a notification of an order that does not exist", "out_trade_no"),
  "foreign-payment": foreign("a notification of another payment", "transaction_id"),

  "malformed-text": malformed("a body that is neither XML nor JSON", "no_markup"),
  "malformed-doctype": malformed("XML with a document type", "doctype"),
  async "malformed-huge"(order) {
    await order.pay();
    const sent = await order.send({ kind: "notification_malformed", params: { about: "payment", how: "huge" } });
    // Closing the connection is a valid answer to such a size.
    order.refuses(
      sent.filter(({ verdict }) => verdict !== "connection_failed"),
      "10 MB",
    );
    await order.untouched("the only evidence was 10 MB");
    await order.genuineFollows();
  },
  "malformed-twice": malformed("a duplicate field", "duplicate_keys"),

  "unknown-fields": accepted(
    { kind: "notification_malformed", params: { about: "payment", how: "extra_fields" } },
    "a notification with unknown fields",
  ),

  async "sign-type"(order) {
    await order.pay();
    const other: SimSending = { kind: "notification_malformed", params: { about: "payment", how: "sign_type" } };
    order.accepts(
      [...(await order.genuine()), ...(await order.send(other))],
      "a notification with or without sign_type",
    );
    await order.settledOnce();
  },

  async "return-code-fail"(order) {
    const params = { about: "payment" as const, message: "system busy" };
    await order.send({ kind: "notification_return_code_fail", params });
    await order.notSettled("the notification was a communication failure");
    await order.genuineFollows();
  },

  async "result-code-fail"(order) {
    await order.pay();
    const sent = await order.send({ kind: "notification_result_code_fail", params: { code: "BANKERROR" } });
    order.accepts(sent, "a payment reported as failed");
    if (sent[0]?.claimed === "yes" && (await order.queries()) === 0)
      order.fail("It accepted the failure without querying the order.");
    await order.settledOnce();
  },

  async "state-userpaying"(order) {
    await order.lie({ kind: "trade_state", params: { state: "USERPAYING" } });
    order.refuses(await order.send(success), "a SUCCESS while the buyer is still paying");
    await order.notSettled("query order returned USERPAYING");
  },
  "state-payerror": endedAs("PAYERROR"),
  "state-closed": endedAs("CLOSED"),
  "state-revoked": endedAs("REVOKED"),
  "state-refund": endedAs("REFUND"),

  async "query-forged"(order) {
    // REFUND has the same data as SUCCESS, so only the signature reveals the forgery.
    await order.lie({ kind: "trade_state", params: { state: "REFUND" } });
    await order.lie({ kind: "reply_signature", params: { calls: orderquery, how: "changed_body" } });
    await order.pay();
    const sent = await order.genuine();
    order.refuses(sent, "a payment because of a forged reply");
    await order.notSettled("the reply of query order was forged");
    await order.verifiesFirst(sent);
    await order.genuineFollows();
  },

  async "query-silent"(order) {
    await order.lie({ kind: "no_answer", params: { calls: orderquery, when: "before" } });
    await order.pay();
    const sent = await order.genuine();
    order.refuses(sent, "a notification while query order was silent");
    await order.notSettled("query order had not answered");
    await order.verifiesFirst(sent);
    await order.genuineFollows();
  },

  ...productRows,
  ...pushRows,
};
