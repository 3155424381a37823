/** Alipay's view of an order: whether there is a trade, and its status. */
import { createHash } from "node:crypto";
import type { Order } from "../ledger/ledger.ts";

export type TradeStatus = "WAIT_BUYER_PAY" | "TRADE_SUCCESS" | "TRADE_FINISHED" | "TRADE_CLOSED";

/** After it, nothing of a trade can be returned. */
const refundableMs = 365 * 24 * 3_600_000;

/** @param at Unix ms */
export function tradeStatusOf({ tradeState, paidAt, refunded, total }: Order, at: number): TradeStatus {
  switch (tradeState) {
    case "NOTPAY":
    case "USERPAYING":
      return "WAIT_BUYER_PAY";
    case "SUCCESS":
    case "REFUND":
      if (refunded >= total) return "TRADE_CLOSED";
      return at - (paidAt ?? at) > refundableMs ? "TRADE_FINISHED" : "TRADE_SUCCESS";
    case "CLOSED":
    case "REVOKED":
    case "PAYERROR":
      return "TRADE_CLOSED";
  }
}

/** A payment code of precreate makes no trade until its buyer scans it. */
export const isTrade = ({ tradeState, tradeType }: Order): boolean => tradeType !== "NATIVE" || tradeState !== "NOTPAY";

const digits = (text: string, length: number) =>
  String(BigInt(`0x${createHash("sha256").update(text).digest("hex")}`)).slice(0, length);

/** The numbers of a person of the simulated platforms. @param openid at WeChat */
export const alipayUser = (openid: string) => ({
  userId: /^2088\d{12}$/.test(openid) ? openid : `2088${digits(openid, 12)}`,
  openId: openid,
  logonId: `${digits(openid, 3)}****${digits(`logon ${openid}`, 4)}`,
});

/** Who pays or has paid; undefined until somebody is known. */
export const buyerOf = ({ openid, payer }: Order) => {
  const known = openid ?? payer;
  return known === undefined ? undefined : alipayUser(known);
};
