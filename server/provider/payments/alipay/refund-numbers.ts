/**
 * The numbers of Alipay's refunds, which only the refunds of one trade keep apart. The ledger's are unique at a merchant,
 * so that they begin with the order's number: `ORDER*1`. Alipay allows no `*` in an order's number.
 */
import type { Order, Refund } from "../ledger/ledger.ts";

export const ledgerRefundNo = ({ outTradeNo }: Pick<Order, "outTradeNo">, outRequestNo: string): string =>
  `${outTradeNo}*${outRequestNo}`;

/** The number as the merchant wrote it. */
export const outRequestNoOf = ({ outRefundNo }: Pick<Refund, "outRefundNo">): string =>
  outRefundNo.slice(outRefundNo.indexOf("*") + 1);
