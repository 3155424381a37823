/**
 * The rows that a check of a receiver of payment notifications tries, for its report, its command line and the console.
 */
import { z } from "zod";
import type { PayVersion, PayWire } from "./payment-terms.ts";

interface RowText {
  /** Title in a table. */
  readonly name: string;
  /** The notification that the receiver gets. */
  readonly sent: string;
  /** The behaviour of a correct receiver. */
  readonly right: string;
  /** The version of WeChat Pay with this row; both unless given. */
  readonly version?: PayVersion;
}

const refused = "Refuses and settles nothing. Accepts the genuine notification that follows.";
const refusedRefund = "Refuses and does not count the refund.";
const notSettled = "Refuses and never settles the order.";
const ended = "Queries the order and does not settle it. May accept or refuse.";

/** A forgery that only version 3 knows. */
const forgedV3 = (name: string, sent: string): RowText => ({ name, sent, right: refused, version: "v3" });
const whileSwitching = (key: string): RowText => ({
  name: `signed by the ${key}`,
  sent: `A payment notification while the platform switches its key, signed by the ${key}.`,
  right: "Accepts and settles the order. Wechatpay-Serial names the key.",
  version: "v3",
});

/** In the order of execution. */
export const receiverCheckRows = {
  genuine: {
    name: "a payment",
    sent: "A valid payment notification.",
    right: "Accepts and settles the order.",
  },
  "answer-form": {
    name: "format of the success reply",
    sent: "A valid payment notification.",
    right:
      "Version 2: 200 and XML with return_code SUCCESS. Version 3: 200 or 204. Alipay: 200 and success. Otherwise the platform sends it again.",
  },
  "query-first": {
    name: "queries before accepting",
    sent: "A valid payment notification.",
    right: "Queries the order before it accepts. result_code is not proof.",
  },
  "key-certificate": whileSwitching("certificate"),
  "key-public": whileSwitching("public key"),
  "forged-wrong-key": { name: "forged: wrong key", sent: "Signed with an unknown key.", right: refused },
  "forged-changed-field": {
    name: "forged: a field changed",
    sent: "One field was changed after signing.",
    right: refused,
  },
  "forged-missing": { name: "forged: no signature", sent: "The signature is missing.", right: refused },
  "forged-other-type": {
    name: "forged: other signature type",
    sent: "The signature type differs from the order's.",
    right: refused,
  },
  "forged-probe": forgedV3("forged: signature probe", "The signature starts with WECHATPAY/SIGNTEST/."),
  "forged-serial": forgedV3("forged: unknown serial", "The serial number belongs to no certificate."),
  "forged-past": forgedV3("forged: 6 minutes old", "The timestamp is 6 minutes old."),
  "forged-future": forgedV3("forged: 6 minutes ahead", "The timestamp is 6 minutes in the future."),
  "forged-tag": forgedV3(
    "forged: encrypted part changed",
    "The signature is valid, but the tag of the encrypted resource is not.",
  ),
  "forged-aad": forgedV3(
    "forged: associated data changed",
    "The signature is valid, but the associated data of the encrypted resource is not.",
  ),
  "forged-unpaid": {
    name: "valid signature, not paid",
    sent: "A validly signed SUCCESS for an unpaid order.",
    right:
      "Queries the order, gets NOTPAY, refuses and settles nothing. Accepts the genuine notification after the payment.",
  },
  "duplicate-serial": {
    name: "5 copies, one by one",
    sent: "The same notification five times, one after another.",
    right: "Accepts each copy and settles once.",
  },
  "duplicate-concurrent": {
    name: "5 copies at once",
    sent: "The same notification five times at once, then once more.",
    right: "Settles once. May refuse while it is busy, and accepts the last copy.",
  },
  "late-copy": {
    name: "a copy after the refund",
    sent: "The payment notification again, when query order already returns REFUND.",
    right: "Accepts and does not settle again.",
  },
  "refund-first": {
    name: "refund before payment",
    sent: "The refund notification, then the payment notification. Query order returns REFUND.",
    right: "Queries the order after the payment notification, and settles nothing, because the money was refunded.",
  },
  "refund-query-first": {
    name: "refund: queries before accepting",
    sent: "A valid refund notification.",
    right: "Queries the refund before it accepts. Refuses a refund that it did not request.",
  },
  "refund-forged-key": {
    name: "refund forged: wrong key",
    sent: "A refund notification, encrypted (version 3: signed) with an unknown key.",
    right: refusedRefund,
  },
  "refund-forged-changed": {
    name: "refund forged: changed",
    sent: "A refund notification, changed after encryption (version 3: after signing).",
    right: refusedRefund,
  },
  "refund-forged-missing": {
    name: "refund forged: no proof",
    sent: "A refund notification without its encrypted part (version 3: without its signature).",
    right: refusedRefund,
  },
  "refund-foreign-order": {
    name: "refund foreign: order",
    sent: "A validly encrypted refund notification for an order that does not exist.",
    right: refusedRefund,
  },
  lost: {
    name: "never notified",
    sent: "No payment notification at all.",
    right: "Finds the payment with query order and settles the order.",
  },
  delayed: {
    name: "notified late",
    sent: "The payment notification, one second late.",
    right: "Accepts and settles the order.",
  },
  retry: {
    name: "repeated after a refusal",
    sent: "A notification while query order fails (HTTP 500), and again when query order works.",
    right: "Refuses at first, because the state is unknown. Then accepts and settles once.",
  },
  "amount-more": { name: "amount: too much", sent: "The notification reports 100 fen too much.", right: notSettled },
  "amount-less": { name: "amount: too little", sent: "The notification reports 1 fen too little.", right: notSettled },
  "amount-query": { name: "amount: query differs", sent: "Query order returns 1 fen too little.", right: notSettled },
  "amount-both": {
    name: "amount: both differ",
    sent: "The notification and query order both report 1 fen too little.",
    right: notSettled,
  },
  "amount-currency": { name: "amount: other currency", sent: "The notification reports USD.", right: notSettled },
  "foreign-merchant": {
    name: "foreign: merchant",
    sent: "Validly signed, with another merchant's number.",
    right: refused,
  },
  "foreign-app": { name: "foreign: app", sent: "Validly signed, with another app's id.", right: refused },
  "foreign-order": {
    name: "foreign: order",
    sent: "Validly signed, with the number of an order that does not exist.",
    right: refused,
  },
  "foreign-payment": {
    name: "foreign: payment number",
    sent: "Validly signed, with another order's transaction_id.",
    right: refused,
  },
  "malformed-text": { name: "malformed: no markup", sent: "Neither XML nor JSON.", right: refused },
  "malformed-doctype": {
    name: "malformed: document type",
    sent: "XML with a document type and an external entity.",
    right: refused,
  },
  "malformed-huge": { name: "malformed: 10 MB", sent: "10 MB, validly signed.", right: refused },
  "malformed-twice": {
    name: "malformed: field twice",
    sent: "One field appears twice.",
    right: refused,
    version: "v2",
  },
  "unknown-fields": {
    name: "unknown fields",
    sent: "Undocumented fields, signed with the others.",
    right: "Accepts and settles the order.",
  },
  "sign-type": {
    name: "with and without sign_type",
    sent: "The payment notification with sign_type and without it, validly signed.",
    right: "Accepts both and settles once. The platform sends both forms.",
    version: "v2",
  },
  "return-code-fail": {
    name: "return_code FAIL",
    sent: "An unsigned communication failure. The order is not paid.",
    right: "Settles nothing. May accept or refuse.",
  },
  "result-code-fail": {
    name: "result_code FAIL, but paid",
    sent: "A signed notification that the payment failed. Query order returns SUCCESS.",
    right: "Queries the order, accepts and settles the order.",
  },
  "state-userpaying": {
    name: "SUCCESS, query USERPAYING",
    sent: "result_code SUCCESS, but query order returns USERPAYING.",
    right: "Refuses and settles nothing.",
  },
  "state-payerror": {
    name: "SUCCESS, query PAYERROR",
    sent: "result_code SUCCESS, but query order returns PAYERROR.",
    right: ended,
  },
  "state-closed": {
    name: "SUCCESS, query CLOSED",
    sent: "result_code SUCCESS, but query order returns CLOSED.",
    right: ended,
  },
  "state-revoked": {
    name: "SUCCESS, query REVOKED",
    sent: "result_code SUCCESS, but query order returns REVOKED.",
    right: ended,
  },
  "state-refund": {
    name: "SUCCESS, query REFUND",
    sent: "result_code SUCCESS, but query order returns REFUND: the money was refunded.",
    right: ended,
  },
  "query-forged": {
    name: "query's reply forged",
    sent: "SUCCESS for an unpaid order. The reply of query order was changed to SUCCESS after signing.",
    right: "Discards the reply, refuses and settles nothing.",
  },
  "query-silent": {
    name: "query times out",
    sent: "The payment notification while query order does not respond.",
    right: "Refuses within the time limit of a reply. Accepts the next notification.",
  },
  "in-time": {
    name: "replies in time",
    sent: "All notifications of all rows.",
    right: "Replies to each within 5 seconds.",
  },
} as const satisfies Record<string, RowText>;

export type ReceiverCheckRow = keyof typeof receiverCheckRows;
const ids = Object.keys(receiverCheckRows) as [ReceiverCheckRow, ...ReceiverCheckRow[]];
/** A row's id. */
export const receiverCheckRow = z.enum(ids);
export const rowText = (row: ReceiverCheckRow): RowText => receiverCheckRows[row];

/** A verified notification of Alipay may be believed without a query, and names no currency. */
const rowsOfAlipay: ReadonlySet<ReceiverCheckRow> = new Set([
  ...(["genuine", "answer-form", "forged-wrong-key", "forged-changed-field", "forged-missing"] as const),
  ...(["duplicate-serial", "duplicate-concurrent", "late-copy", "lost", "delayed"] as const),
  ...(["amount-more", "amount-less", "foreign-merchant", "foreign-app", "foreign-order"] as const),
  ...(["malformed-huge", "malformed-twice", "unknown-fields", "in-time"] as const),
]);

/** Whether the row is tried on orders of an API. */
export const isRowFor = (row: ReceiverCheckRow, wire: PayWire): boolean =>
  wire === "alipay" ? rowsOfAlipay.has(row) : (rowText(row).version ?? wire) === wire;
