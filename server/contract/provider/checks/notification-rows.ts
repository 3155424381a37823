/** The rows about notifications that are genuine, forged, repeated or late. */
import {
  asCopies,
  asForged,
  asRefund,
  asState,
  asUnpaid,
  refusesForgery,
  refusedRefund,
  type RowText,
} from "./row-texts.ts";

/** A forgery that only version 3 knows. */
const forgedV3 = (name: string, sent: string): RowText => ({
  name,
  sent,
  right: refusesForgery,
  why: asForged,
  version: "v3",
});
const whileSwitching = (key: string): RowText => ({
  name: `signed by the ${key}`,
  sent: `A payment notification while the platform switches its key, signed by the ${key}.`,
  right: "Accepts and settles the order. Wechatpay-Serial names the key.",
  why: "Payments stay open once the platform signs with the other key.",
  version: "v3",
});

/** In the order of execution. */
export const notificationRows = {
  genuine: {
    name: "a payment",
    sent: "A valid payment notification.",
    right: "Accepts and settles the order.",
    why: asUnpaid,
  },
  "answer-form": {
    name: "format of the success reply",
    sent: "A valid payment notification.",
    right:
      "Version 2: 200 and XML with return_code SUCCESS. Version 3: 200 or 204. Alipay: 200 and success. Otherwise the platform sends it again.",
    why: "The platform repeats the notification, and at last gives up.",
  },
  "query-first": {
    name: "queries before accepting",
    sent: "A valid payment notification.",
    right: "Queries the order before it accepts. result_code is not proof.",
    why: "A notification can be old or forged with a leaked key. Only the query is proof.",
  },
  "key-certificate": whileSwitching("certificate"),
  "key-public": whileSwitching("public key"),
  "forged-wrong-key": {
    name: "forged: wrong key",
    sent: "Signed with an unknown key.",
    right: refusesForgery,
    why: asForged,
  },
  "forged-changed-field": {
    name: "forged: a field changed",
    sent: "One field was changed after signing.",
    right: refusesForgery,
    why: asForged,
  },
  "forged-missing": {
    name: "forged: no signature",
    sent: "The signature is missing.",
    right: refusesForgery,
    why: asForged,
  },
  "forged-other-type": {
    name: "forged: other signature type",
    sent: "The signature type differs from the order's.",
    right: refusesForgery,
    why: asForged,
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
    why: asForged,
  },
  "duplicate-serial": {
    name: "5 copies, one by one",
    sent: "The same notification five times, one after another.",
    right: "Accepts each copy and settles once.",
    why: asCopies,
  },
  "duplicate-concurrent": {
    name: "5 copies at once",
    sent: "The same notification five times at once, then once more.",
    right: "Settles once. May refuse while it is busy, and accepts the last copy.",
    why: asCopies,
  },
  "late-copy": {
    name: "a copy after the refund",
    sent: "The payment notification again, when query order already returns REFUND.",
    right: "Accepts and does not settle again.",
    why: asCopies,
  },
  "refund-first": {
    name: "refund before payment",
    sent: "The refund notification, then the payment notification. Query order returns REFUND.",
    right: "Queries the order after the payment notification, and settles nothing, because the money was refunded.",
    why: asState,
  },
  "refund-query-first": {
    name: "refund: queries before accepting",
    sent: "A valid refund notification.",
    right: "Queries the refund before it accepts. Refuses a refund that it did not request.",
    why: asRefund,
  },
  "refund-forged-key": {
    name: "refund forged: wrong key",
    sent: "A refund notification, encrypted (version 3: signed) with an unknown key.",
    right: refusedRefund,
    why: asRefund,
  },
  "refund-forged-changed": {
    name: "refund forged: changed",
    sent: "A refund notification, changed after encryption (version 3: after signing).",
    right: refusedRefund,
    why: asRefund,
  },
  "refund-forged-missing": {
    name: "refund forged: no proof",
    sent: "A refund notification without its encrypted part (version 3: without its signature).",
    right: refusedRefund,
    why: asRefund,
  },
  "refund-foreign-order": {
    name: "refund foreign: order",
    sent: "A validly encrypted refund notification for an order that does not exist.",
    right: refusedRefund,
    why: asRefund,
  },
  lost: {
    name: "never notified",
    sent: "No payment notification at all.",
    right: "Finds the payment with query order and settles the order.",
    why: asUnpaid,
  },
  delayed: {
    name: "notified late",
    sent: "The payment notification, one second late.",
    right: "Accepts and settles the order.",
    why: asUnpaid,
  },
  retry: {
    name: "repeated after a refusal",
    sent: "A notification while query order fails (HTTP 500), and again when query order works.",
    right: "Refuses at first, because the state is unknown. Then accepts and settles once.",
    why: asUnpaid,
  },
} as const satisfies Record<string, RowText>;
