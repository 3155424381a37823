/**
 * The payment provider as the application server sees it: one port, two versions behind it. What a call came to is one of
 * three things that are never mixed up: it was done, it was refused, or nobody knows.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { RefundStatus, TradeState, TradeType } from "../../contract/payment-terms.ts";

/**
 * `refused`: a signed business failure (result_code FAIL, or an error of version 3 that decides). `unknown`: communication
 * failed (no answer, return_code FAIL, HTTP 5xx, a bad signature in the reply): it may have been done or not, so whoever
 * wants to know queries. Codes are in the words of version 2, without `_` between words where the versions differ.
 */
export type CallResult<Value> =
  | { readonly outcome: "done"; readonly value: Value }
  | { readonly outcome: "refused"; readonly code: string; readonly description: string }
  | { readonly outcome: "unknown"; readonly reason: string };

export interface OrderToPlace {
  readonly outTradeNo: string;
  readonly description: string;
  /** Fen. */
  readonly amount: number;
  readonly tradeType: Exclude<TradeType, "MICROPAY">;
  /** Of the buyer, for JSAPI. */
  readonly openid?: string | undefined;
  /** IP address of the buyer's device. */
  readonly clientIp: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export interface CodeOrderToPay extends Omit<OrderToPlace, "tradeType" | "openid"> {
  readonly authCode: string;
}

/** What the provider has of an order that was placed; which of these depends on the trade type. */
export interface PlacedOrder {
  readonly prepayId?: string | undefined;
  readonly codeUrl?: string | undefined;
  readonly webUrl?: string | undefined;
}

/** The answer of query order, of which only `tradeState` decides. */
export interface QueriedOrder {
  readonly outTradeNo: string;
  readonly tradeState: TradeState;
  readonly description: string;
  /** Set once it was paid. Fen. */
  readonly total?: number | undefined;
  readonly currency?: string | undefined;
  readonly transactionId?: string | undefined;
  /** Unix ms. */
  readonly paidAt?: number | undefined;
}

export interface RefundToMake {
  readonly outTradeNo: string;
  readonly outRefundNo: string;
  /** Fen. */
  readonly total: number;
  readonly amount: number;
  readonly reason?: string | undefined;
}

export interface QueriedRefund {
  readonly outRefundNo: string;
  readonly refundId: string;
  readonly status: RefundStatus;
  /** Fen. */
  readonly amount: number;
}

/** A notification that was read and whose signature is right (a version 2 refund notification has none). */
export type Notification =
  | { readonly kind: "communication-failure"; readonly message: string }
  | {
      readonly kind: "payment";
      readonly appId: string;
      readonly mchId: string;
      readonly outTradeNo: string;
      readonly transactionId: string;
      /** Fen. */
      readonly total: number;
      readonly currency: string;
      /** As told; it decides nothing. */
      readonly resultCode: string;
    }
  | {
      readonly kind: "refund";
      readonly appId?: string | undefined;
      readonly mchId: string;
      readonly outTradeNo: string;
      readonly outRefundNo: string;
      /** As told; query refund decides. */
      readonly status: string;
    };

/** A notification that is refused: forged, foreign in form, or not to be read. The reply says so; nothing changes. */
export class NotificationRefused extends Error {
  override readonly name = "NotificationRefused";
  /** A word for the history: `bad_signature`, `malformed`, `too_long`, `expired_timestamp`, `unknown_serial` … */
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface PaymentProvider {
  readonly version: "v2" | "v3";
  placeOrder(order: OrderToPlace): Promise<CallResult<PlacedOrder>>;
  /** Version 2 only; version 3 has no such call and refuses with NOT_SUPPORTED. Done means SUCCESS. */
  payByCode(order: CodeOrderToPay): Promise<CallResult<QueriedOrder>>;
  queryOrder(outTradeNo: string, signal?: AbortSignal): Promise<CallResult<QueriedOrder>>;
  closeOrder(outTradeNo: string): Promise<CallResult<void>>;
  /** Version 2 only. `again`: the provider asks to be called once more. */
  reverseOrder(outTradeNo: string): Promise<CallResult<{ readonly again: boolean }>>;
  /** Done means accepted, not finished. */
  refund(refund: RefundToMake): Promise<CallResult<QueriedRefund>>;
  queryRefund(outRefundNo: string): Promise<CallResult<QueriedRefund>>;
  /** What the client hands to the platform to start a payment: signed, without any key. */
  payParameters(tradeType: TradeType, placed: PlacedOrder): Readonly<Record<string, string>>;
  /**
   * @param body as received, at most 64 KiB
   * @throws NotificationRefused
   */
  readPaymentNotification(body: Buffer, headers: IncomingHttpHeaders): Notification;
  /** @throws NotificationRefused */
  readRefundNotification(body: Buffer, headers: IncomingHttpHeaders): Notification;
}
