/** A row for an order of either side. */
import type { StoredOrder } from "../../../../server/contract/app/payments.ts";
import type { PaymentFailure, TradeState, TradeType } from "../../../../server/contract/provider/payment-terms.ts";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";

export interface ListedOrder {
  readonly id: number;
  readonly outTradeNo: string;
  /** The merchant; only for the provider's orders. */
  readonly mchId?: string;
  readonly state: TradeState;
  readonly type: TradeType;
  readonly description: string;
  /** In fen. */
  readonly amount: number;
  readonly createdAt: string;
  /** It is held because of its amount. */
  readonly held: boolean;
  /** The merchant has settled it; unknown for the provider's orders. */
  readonly settled: boolean;
  /** The provider refused it, or it is unknown whether the provider has it. */
  readonly unplaced: boolean;
  /** Why the latest attempt to pay has failed, while it is unpaid. */
  readonly failure?: PaymentFailure;
  /** A notification of it was sent, and the receiver has not accepted it. */
  readonly undelivered?: boolean;
  /** The uid of the user who placed it; only for Hearth's orders. */
  readonly uid?: string;
  /** The buyer's openid, if known; only for the provider's orders. */
  readonly openid?: string;
}

/** The key of a row: a number is unique per merchant. */
export const rowKey = ({ mchId, outTradeNo }: Pick<ListedOrder, "mchId" | "outTradeNo">): string =>
  mchId === undefined ? outTradeNo : `${mchId}/${outTradeNo}`;

export const storedRow = (order: StoredOrder): ListedOrder => ({
  id: order.id,
  outTradeNo: order.out_trade_no,
  state: order.trade_state,
  type: order.trade_type,
  description: order.description,
  amount: order.amount,
  createdAt: order.created_at,
  held: order.amount_mismatch,
  settled: order.settled_at !== undefined,
  unplaced: order.placement === "refused" || order.placement === "unknown",
  uid: order.owner_uid,
});

export function simRow(order: SimOrder): ListedOrder {
  const openid = order.payer ?? order.openid;
  return {
    id: order.id,
    outTradeNo: order.out_trade_no,
    mchId: order.mch_id,
    state: order.trade_state,
    type: order.trade_type,
    description: order.description,
    amount: order.total,
    createdAt: order.created_at,
    held: false,
    settled: false,
    unplaced: false,
    ...(openid !== undefined && { openid }),
  };
}
