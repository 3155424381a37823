/**
 * The rows that a check of a receiver of payment notifications tries, for its report, its command line and the console.
 */
import { z } from "zod";
import type { PayVersion } from "./payment-terms.ts";

interface RowText {
  /** Title in a table. */
  readonly name: string;
  /** The notification that the receiver gets. */
  readonly sent: string;
  /** The behaviour of a correct receiver. */
  readonly right: string;
  /** The API version with this row; both unless given. */
  readonly version?: PayVersion;
}

const refused = "Says no, and settles nothing; accepts the genuine one that follows.";
const refusedRefund = "Says no, and takes nothing for refunded on its word.";
const notSettled = "Says no, and never settles it.";
const ended = "Asks for the order, and does not settle it; either answer will do.";

/** A forgery that only version 3 knows. */
const forgedV3 = (name: string, sent: string): RowText => ({ name, sent, right: refused, version: "v3" });
const whileSwitching = (key: string): RowText => ({
  name: `signed by the ${key}`,
  sent: `While the platform's key is switched: the notification of a payment, signed by the ${key}.`,
  right: "Says yes, and settles the order: Wechatpay-Serial names the key.",
  version: "v3",
});

/** In the order of execution. */
export const receiverCheckRows = {
  genuine: {
    name: "a payment",
    sent: "The notification of a payment, as it should be.",
    right: "Says yes, and settles the order.",
  },
  "answer-form": {
    name: "the form of its yes",
    sent: "The notification of a payment, as it should be.",
    right: "Version 2: 200 and XML with return_code SUCCESS. Version 3: 200 or 204. Anything else is sent again.",
  },
  "query-first": {
    name: "asks before it believes",
    sent: "The notification of a payment, as it should be.",
    right: "Asks query order before it says yes: result_code is no proof.",
  },
  "key-certificate": whileSwitching("certificate"),
  "key-public": whileSwitching("public key"),
  "forged-wrong-key": { name: "forged: wrong key", sent: "Signed with a key of nobody.", right: refused },
  "forged-changed-field": {
    name: "forged: a field changed",
    sent: "One field was changed after signing.",
    right: refused,
  },
  "forged-missing": { name: "forged: no signature", sent: "The signature is missing.", right: refused },
  "forged-other-type": {
    name: "forged: other type",
    sent: "Signed by a type that the order was not placed with.",
    right: refused,
  },
  "forged-probe": forgedV3("forged: signature probe", "A signature that begins with WECHATPAY/SIGNTEST/."),
  "forged-serial": forgedV3("forged: unknown serial", "The serial number of no certificate."),
  "forged-past": forgedV3("forged: 6 minutes old", "A timestamp of 6 minutes ago."),
  "forged-future": forgedV3("forged: 6 minutes ahead", "A timestamp in 6 minutes."),
  "forged-tag": forgedV3(
    "forged: encrypted part changed",
    "The tag of the encrypted resource does not fit, the signature does.",
  ),
  "forged-aad": forgedV3(
    "forged: associated data changed",
    "The associated data of the encrypted resource does not fit, the signature does.",
  ),
  "forged-unpaid": {
    name: "rightly signed, not paid",
    sent: "A rightly signed SUCCESS of an order that nobody has paid.",
    right: "Asks query order, reads NOTPAY, says no and settles nothing; accepts the genuine one after the payment.",
  },
  "duplicate-serial": {
    name: "5 copies, one by one",
    sent: "The same notification five times, one after another.",
    right: "Says yes to each, and settles once.",
  },
  "duplicate-concurrent": {
    name: "5 copies at once",
    sent: "The same notification five times at the same time, and once more after that.",
    right: "Settles once; may say no while it is busy, and says yes to the last one.",
  },
  "late-copy": {
    name: "a copy after the refund",
    sent: "A payment's notification once more, when query order says REFUND by now.",
    right: "Says yes, and settles nothing again.",
  },
  "refund-first": {
    name: "refund before payment",
    sent: "The refund's notification, and only then the payment's; query order says REFUND.",
    right: "Asks for the order at the payment's, and settles nothing for money that went back.",
  },
  "refund-query-first": {
    name: "refund: asks before it believes",
    sent: "The notification of a refund, as it should be.",
    right: "Asks query refund before it says yes; says no to a refund that it has not asked for.",
  },
  "refund-forged-key": {
    name: "refund forged: wrong key",
    sent: "A refund's notification, encrypted (version 3: signed) by a key of nobody.",
    right: refusedRefund,
  },
  "refund-forged-changed": {
    name: "refund forged: changed",
    sent: "A refund's notification that was changed after it was encrypted (version 3: signed).",
    right: refusedRefund,
  },
  "refund-forged-missing": {
    name: "refund forged: no proof",
    sent: "A refund's notification without its encrypted part (version 3: without its signature).",
    right: refusedRefund,
  },
  "refund-foreign-order": {
    name: "refund foreign: order",
    sent: "A refund's notification, rightly encrypted, of an order that does not exist.",
    right: refusedRefund,
  },
  lost: {
    name: "never told",
    sent: "No notification of a payment at all.",
    right: "Finds out by itself, by query order, and settles it.",
  },
  delayed: {
    name: "told late",
    sent: "The notification of a payment, a second after it.",
    right: "Says yes, and settles the order.",
  },
  retry: {
    name: "told again after a no",
    sent: "A notification while query order fails (HTTP 500), and again when it works.",
    right: "Says no at first, for nothing is known; then yes, and settles once.",
  },
  "amount-more": { name: "amount: too much", sent: "The notification says 100 fen more.", right: notSettled },
  "amount-less": { name: "amount: too little", sent: "The notification says 1 fen less.", right: notSettled },
  "amount-query": { name: "amount: query differs", sent: "Query order says 1 fen less.", right: notSettled },
  "amount-both": {
    name: "amount: both differ",
    sent: "The notification and query order agree on 1 fen less than the order.",
    right: notSettled,
  },
  "amount-currency": { name: "amount: other currency", sent: "The notification says USD.", right: notSettled },
  "foreign-merchant": {
    name: "foreign: merchant",
    sent: "Rightly signed, with another merchant's number.",
    right: refused,
  },
  "foreign-app": { name: "foreign: app", sent: "Rightly signed, with another app's id.", right: refused },
  "foreign-order": {
    name: "foreign: order",
    sent: "Rightly signed, with the number of an order that does not exist.",
    right: refused,
  },
  "foreign-payment": {
    name: "foreign: payment number",
    sent: "Rightly signed, with a transaction_id that is not this order's.",
    right: refused,
  },
  "malformed-text": { name: "malformed: no markup", sent: "Neither XML nor JSON.", right: refused },
  "malformed-doctype": {
    name: "malformed: document type",
    sent: "XML with a document type and an external entity.",
    right: refused,
  },
  "malformed-huge": { name: "malformed: 10 MB", sent: "10 MB, rightly signed.", right: refused },
  "malformed-twice": {
    name: "malformed: field twice",
    sent: "One field is there twice.",
    right: refused,
    version: "v2",
  },
  "unknown-fields": {
    name: "unknown fields",
    sent: "Fields that no description knows, signed with the others.",
    right: "Says yes, and settles the order.",
  },
  "sign-type": {
    name: "with and without sign_type",
    sent: "The notification of a payment with sign_type, and without it, rightly signed.",
    right: "Says yes to both, and settles once: the platform sends both.",
    version: "v2",
  },
  "return-code-fail": {
    name: "return_code FAIL",
    sent: "An unsigned message that communication failed. The order is not paid.",
    right: "Settles nothing; either answer will do.",
  },
  "result-code-fail": {
    name: "result_code FAIL, but paid",
    sent: "A signed notification that the payment failed. Query order says SUCCESS.",
    right: "Asks query order, says yes, and settles the order.",
  },
  "state-userpaying": {
    name: "SUCCESS, query USERPAYING",
    sent: "result_code SUCCESS; query order says USERPAYING.",
    right: "Says no, and settles nothing.",
  },
  "state-payerror": {
    name: "SUCCESS, query PAYERROR",
    sent: "result_code SUCCESS; query order says PAYERROR.",
    right: ended,
  },
  "state-closed": {
    name: "SUCCESS, query CLOSED",
    sent: "result_code SUCCESS; query order says CLOSED.",
    right: ended,
  },
  "state-revoked": {
    name: "SUCCESS, query REVOKED",
    sent: "result_code SUCCESS; query order says REVOKED.",
    right: ended,
  },
  "state-refund": {
    name: "SUCCESS, query REFUND",
    sent: "result_code SUCCESS; query order says REFUND: the money went back.",
    right: ended,
  },
  "query-forged": {
    name: "query's reply forged",
    sent: "A SUCCESS of an unpaid order; the reply of query order was changed to SUCCESS after signing.",
    right: "Discards the reply, says no and settles nothing.",
  },
  "query-silent": {
    name: "query never answers",
    sent: "The notification of a payment, while query order does not answer.",
    right: "Says no within the time that a reply may take; accepts the next one.",
  },
  "in-time": {
    name: "answers in time",
    sent: "Everything that was sent in all rows.",
    right: "Answers each within 5 seconds.",
  },
} as const satisfies Record<string, RowText>;

export type ReceiverCheckRow = keyof typeof receiverCheckRows;
const ids = Object.keys(receiverCheckRows) as [ReceiverCheckRow, ...ReceiverCheckRow[]];
/** A row's id. */
export const receiverCheckRow = z.enum(ids);
export const rowText = (row: ReceiverCheckRow): RowText => receiverCheckRows[row];
