/** Stores a refund before the provider is called for it, if that much of the order is left to refund. */
import { message } from "../../../contract/messages/message.ts";
import { randomBytes } from "node:crypto";
import type { RefundInput } from "../../../contract/app/payments.ts";
import { type HttpError, refuse } from "../../../http/http-error.ts";
import { withErrCode } from "../provider/refusal-statuses.ts";
import { callEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { RefundStore, StoredRefund } from "../store/refund-store.ts";
import { nextInquiryAt } from "./reconcile-times.ts";

interface NewRefund {
  readonly key: string | undefined;
  readonly input: RefundInput;
  readonly requestHash: string;
}

interface Deps {
  readonly refunds: RefundStore;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * @returns undefined where another refund of the order came in between: an instance that loses the connection to the database
 * loses the order's mutex with it
 * @throws HttpError 400 or 403 where less than that is left to refund
 */
export async function startRefund(order: Order, { key, input, requestHash }: NewRefund, { refunds, now }: Deps) {
  if (order.tradeState !== "SUCCESS" && order.tradeState !== "REFUND")
    throw refuse(
      "refund.unpaid",
      { state: order.tradeState },
      withErrCode(order.tradeState === "REVOKED" ? "ORDERREVERSED" : "ORDERNOTPAID"),
    );
  const all = await refunds.ofOrder(order.id);
  const counted = all.filter(({ status }) => status !== "CLOSED");
  const left = order.amount - counted.reduce((sum, { amount }) => sum + amount, 0);
  const amount = input.amount ?? left;
  if (left === 0) throw refuseFurther(counted);
  if (amount > left) throw refuse("refund.tooMuch", { left }, { field: "amount" });
  const outRefundNo = `R${randomBytes(15).toString("hex").toUpperCase()}`;
  const at = now();
  const nextQueryAt = nextInquiryAt({ createdAt: at }, at);
  const ids = { outTradeNo: order.outTradeNo, outRefundNo, idempotencyKey: key, requestHash };
  const refund = { ...ids, amount, reason: input.reason, nextQueryAt };
  return refunds.create(refund, all.length, [calling(outRefundNo, amount, "asked_by_client", at)]);
}

function refuseFurther(refunds: readonly StoredRefund[]): HttpError {
  const open = refunds.filter(({ status }) => status === "PROCESSING").map(({ outRefundNo }) => outRefundNo);
  const details = withErrCode("NOTHING_LEFT");
  return open.length === 0 ? refuse("refund.all", undefined, details) : refuse("refund.allOpen", { open }, details);
}

/** A call of the refund, for the history. */
export const calling = (outRefundNo: string, amount: number, why: string, at: number): OrderEntry =>
  callEntry("refund", why, message("history.refund", { outRefundNo, amount }), at);
