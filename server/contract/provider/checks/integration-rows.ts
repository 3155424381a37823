/** The rows about the rest of a merchant's integration, by the platform's checklist: orders, refunds, closing and bills. */
import type { BackendActions } from "./receiver-check-requests.ts";
import type { RowText } from "./row-texts.ts";

export interface IntegrationRowText extends RowText {
  /** The action without which nobody can judge the row. */
  readonly needs?: keyof BackendActions;
}

const asTwice = "The buyer could pay twice for one purchase.";
const asLost = "The buyer has paid, and the shop says that the payment failed. Many pay again.";
const asMoney = "The shop would return money twice.";
const asBooks = "The books would show a refund that the buyer never got.";

/** Before those of the receiver, which need an order, too. */
export const placingRows = {
  answers: {
    name: "places an order",
    sent: "A request to place an order.",
    right: "Answers in JSON within 15 seconds, with the number of an order that the platform has.",
    why: "Nothing else can be tried.",
  },
  "place-amount": {
    name: "amount in fen",
    sent: "An order of 101 fen.",
    right: "Places an order of 101 fen at the platform. Amounts in fen are whole numbers.",
    why: "The buyer would pay another price, often 100 times as much or as little.",
  },
  "place-lost-reply": {
    name: "placing: the reply is lost",
    sent: "An order that the platform takes, but its reply never arrives.",
    right: "Tries again with the same order number, or reports an error.",
    why: asTwice,
  },
  unpaid: {
    name: "an unpaid order",
    sent: "A new order that nobody pays.",
    right: "Shows it neither as paid nor as failed.",
    why: "The goods would leave without a payment.",
  },
} as const satisfies Record<string, IntegrationRowText>;

export const integrationRows = {
  "timeout-not-failed": {
    name: "a time-out is not a failure",
    sent: "The payment notification while query order does not respond.",
    right: "Does not show the payment as failed. Settles the order after the next notification.",
    why: asLost,
  },
  "not-found-yet": {
    name: "an order that is not found yet",
    sent: "The payment notification while the first query of the order returns ORDERNOTEXIST.",
    right: "Does not show the payment as failed. Settles the order after the next notification.",
    why: asLost,
  },
  coupon: {
    name: "paid partly by a coupon",
    sent: "A payment of 101 fen, of which a coupon pays 30.",
    right: "Compares the total with the order's amount, not what the buyer paid. Settles once.",
    why: "Orders that are paid with coupons would stay open.",
  },
  "close-unpaid": {
    name: "closes an unpaid order",
    sent: "A request to close an unpaid order.",
    right: "Closes the order at the platform, too.",
    why: "The buyer could pay an order that the shop has closed.",
    needs: "close",
  },
  "close-paid": {
    name: "closes an order that was just paid",
    sent: "A request to close an order that the buyer has paid a moment ago. The platform answers ORDERPAID.",
    right: "Does not show the order as closed. Settles it.",
    why: "The buyer has paid, and the shop has closed the order.",
    needs: "close",
  },
  "prepay-renewed": {
    name: "renews an expired prepay id",
    sent: "A request to pay an order whose prepay id has expired after two hours.",
    right: "Places the order again with the same number, and returns the new prepay id.",
    why: "The buyer cannot pay any more.",
    needs: "pay",
  },
  "pay-again": {
    name: "pays the same order again",
    sent: "Two requests to pay the same unpaid order.",
    right: "Returns a valid prepay id each time, and leaves one order to pay.",
    why: asTwice,
    needs: "pay",
  },
  refund: {
    name: "a refund",
    sent: "A refund of 50 of 101 fen.",
    right: "Refunds 50 fen, and shows 50 fen as refunded once the platform is done.",
    why: "The buyer waits for the money.",
    needs: "refund",
  },
  "refund-twice": {
    name: "two refunds of one order",
    sent: "A refund of 40 fen, then one of 61.",
    right: "Refunds both, each with an out_refund_no of its own.",
    why: "The platform takes a second refund with the same number for a repeat: no money moves.",
    needs: "refund",
  },
  "refund-lost-reply": {
    name: "refund: the reply is lost",
    sent: "A refund of 50 fen that the platform accepts, but its reply never arrives. Then the same refund again.",
    right: "Tries again with the same out_refund_no: 50 fen are refunded once.",
    why: asMoney,
    needs: "refund",
  },
  "refund-refused-once": {
    name: "refund: refused at first",
    sent: "A refund of 50 fen that the platform first refuses with NOTENOUGH. Then the same refund again.",
    right: "Reports the refusal, and tries again with the same out_refund_no.",
    why: asMoney,
    needs: "refund",
  },
  "refund-cap": {
    name: "refunds at most what was paid",
    sent: "A refund of 60 fen, then another of 60, of 101 fen.",
    right: "Refuses the second one, and shows 60 fen as refunded.",
    why: "The books would show more refunds than payments.",
    needs: "refund",
  },
  "refund-processing": {
    name: "a refund in progress",
    sent: "A refund of 50 fen that stays PROCESSING.",
    right: "Does not show it as refunded yet.",
    why: asBooks,
    needs: "refund",
  },
  "refund-failed": {
    name: "a refund that fails",
    sent: "A refund of 50 fen that the platform ends as CLOSED.",
    right: "Does not show it as refunded.",
    why: asBooks,
    needs: "refund",
  },
  "refund-copies": {
    name: "5 copies of a refund notification",
    sent: "A refund of 50 fen, and its notification five times.",
    right: "Accepts each copy and shows 50 fen as refunded.",
    why: "The books would show more refunds than happened.",
    needs: "refund",
  },
  bill: {
    name: "compares the bill",
    sent: "The bill of the day, with a new payment of 101 fen.",
    right: "Finds no difference. The bill's amounts are yuan, the API's are fen.",
    why: "Real differences disappear among false ones.",
    needs: "reconcile",
  },
  "bill-missing": {
    name: "a payment that only the bill has",
    sent: "The bill of the day, with a payment that the backend does not know.",
    right: "Reports one difference more.",
    why: "Lost payments are never found.",
    needs: "reconcile",
  },
  secrets: {
    name: "keys stay secret",
    sent: "All requests of all rows.",
    right: "No reply of the backend contains a key of the merchant.",
    why: "A stranger with the key can take payments and make refunds in your name.",
  },
} as const satisfies Record<string, IntegrationRowText>;
