/**
 * The payment provider as the application server sees it: one port, two versions behind it. What a call came to is one of
 * three things that are never mixed up: it was done, it was refused, or nobody knows.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { PayVersion, RefundStatus, TradeState, TradeType } from "../../../contract/provider/payment-terms.ts";

/** What a reply said, for the history of an order; `outcome` is what follows from it. */
export interface ReplyFacts {
  /** Missing where nobody answered. */
  readonly httpStatus?: number | undefined;
  /** Version 2: whether communication succeeded, and whether the call did. Version 3 has neither. */
  readonly returnCode?: string | undefined;
  readonly resultCode?: string | undefined;
}

/**
 * Why nobody knows what came of a call. `no_answer`: no connection, or it broke. `timed_out`. `http_status`: a status that
 * tells nothing (5xx, 429). `return_code`: version 2's FAIL, which is unsigned. `bad_signature`: missing or wrong, so the
 * reply is none. `malformed`, `too_long`, `foreign` (of another merchant or order). `undecided`: signed, with a code that
 * leaves it open (SYSTEMERROR, USERPAYING of a payment code …).
 */
export type UnknownReason =
  | "no_answer"
  | "timed_out"
  | "http_status"
  | "return_code"
  | "bad_signature"
  | "malformed"
  | "too_long"
  | "foreign"
  | "undecided";

/**
 * `refused`: a signed business failure (result_code FAIL, or an error of version 3 that decides). `unknown`: it may have
 * been done or not, so whoever wants to know queries. Codes are in the words of version 2 (`ORDERPAID`), whatever the
 * version; an unknown outcome has one where the reply named one.
 */
export type CallResult<Value> =
  | { readonly outcome: "done"; readonly value: Value; readonly reply: ReplyFacts }
  | { readonly outcome: "refused"; readonly code: string; readonly description: string; readonly reply: ReplyFacts }
  | {
      readonly outcome: "unknown";
      readonly reason: UnknownReason;
      readonly description: string;
      readonly code?: string | undefined;
      readonly reply: ReplyFacts;
    };

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
  /** Unix ms, once it is SUCCESS. */
  readonly succeededAt?: number | undefined;
}

/**
 * A payment notification that was read, is for this merchant, and whose signature is right. None of it decides: whoever
 * gets one queries the order.
 */
export type PaymentNotification =
  | { readonly kind: "communication-failure"; readonly version: PayVersion; readonly message: string }
  | {
      readonly kind: "payment";
      readonly version: PayVersion;
      readonly outTradeNo: string;
      /** These two are missing only in a version 2 notification whose result_code is FAIL. Fen. */
      readonly total?: number | undefined;
      readonly transactionId?: string | undefined;
      readonly currency: string;
      /** As told: result_code of version 2, trade_state of version 3. */
      readonly resultCode?: string | undefined;
      readonly tradeState?: string | undefined;
    };

/**
 * A refund notification for this merchant. That of version 2 is not signed, only encrypted: nothing proves who wrote it.
 * Query refund decides.
 */
export type RefundNotification =
  | { readonly kind: "communication-failure"; readonly version: PayVersion; readonly message: string }
  | {
      readonly kind: "refund";
      readonly version: PayVersion;
      readonly outTradeNo: string;
      readonly outRefundNo: string;
      /** As told, in the words of version 3 where it has one. */
      readonly status: string;
    };

/**
 * `signature_probe` is the provider's own test with a wrong signature: refused as any other, but no cause for alarm.
 * `not_configured`: there are no keys for the version in which it came. `keys_unavailable`: it was signed with a key that
 * could not be fetched just now.
 */
export type RefusalReason =
  | "too_long"
  | "malformed"
  | "bad_signature"
  | "signature_probe"
  | "expired_timestamp"
  | "unknown_serial"
  | "keys_unavailable"
  | "undecryptable"
  | "foreign"
  | "wrong_kind"
  | "not_configured";

/** A notification that is refused: forged, foreign, or not to be read. The reply says so; nothing changes. */
export class NotificationRefused extends Error {
  override readonly name = "NotificationRefused";
  /** A word for the history. */
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The calls to the provider. Each is tried once, within its time: whoever calls decides what is tried again, and always
 * with the same numbers. None rejects.
 */
export interface PaymentCalls {
  readonly version: PayVersion;
  placeOrder(order: OrderToPlace): Promise<CallResult<PlacedOrder>>;
  /** Version 2 only; version 3 has no such call and refuses with NOT_SUPPORTED. Done means SUCCESS. */
  payByCode(order: CodeOrderToPay): Promise<CallResult<QueriedOrder>>;
  /** @param withinMs less than the usual time for a call */
  queryOrder(outTradeNo: string, withinMs?: number): Promise<CallResult<QueriedOrder>>;
  closeOrder(outTradeNo: string): Promise<CallResult<void>>;
  /** Version 2 only, as `payByCode`. `again`: the provider asks to be called once more. */
  reverseOrder(outTradeNo: string): Promise<CallResult<{ readonly again: boolean }>>;
  /** Done means accepted, not finished. */
  refund(refund: RefundToMake): Promise<CallResult<QueriedRefund>>;
  /** @param withinMs less than the usual time for a call */
  queryRefund(outRefundNo: string, withinMs?: number): Promise<CallResult<QueriedRefund>>;
}

/**
 * What the client hands to the platform to start a payment: signed, without any key. NATIVE has `code_url`, MWEB `mweb_url`
 * (in both versions, our choice), a payment code nothing.
 */
export type PayParameters = (tradeType: TradeType, placed: PlacedOrder) => Promise<Readonly<Record<string, string>>>;

/** Reads what the provider has sent by itself, of one version. */
export interface NotificationReader {
  /**
   * @param body as received
   * @throws NotificationRefused
   */
  readPaymentNotification(body: Buffer, headers: IncomingHttpHeaders): Promise<PaymentNotification>;
  /** @throws NotificationRefused */
  readRefundNotification(body: Buffer, headers: IncomingHttpHeaders): Promise<RefundNotification>;
}

export interface PaymentProvider extends PaymentCalls {
  readonly payParameters: PayParameters;
  /** Notifications may come in either version, whichever the calls are made by. @throws NotificationRefused without keys of it */
  readerOf(version: PayVersion): NotificationReader;
  /** Ends its connections; calls under way come to `no_answer`. */
  close(): void;
}
