/**
 * The port to the payment provider, with both versions of WeChat Pay and Alipay behind it. A call has one of three outcomes, which must never be
 * confused: done, refused, or unknown.
 */
import type { NotificationRefusal } from "../../../contract/app/notification-reasons.ts";
import type { Text } from "../../../contract/messages/message.ts";
import type { IncomingHttpHeaders } from "node:http";
import type {
  PayWire,
  RefundStatus,
  SignType,
  TradeState,
  BuyerTradeType,
} from "../../../contract/provider/payment-terms.ts";

/** The words of a reply, for the history of an order; `outcome` is what follows from them. */
export interface ReplyFacts {
  /** Missing without an answer. */
  readonly httpStatus?: number | undefined;
  /** Version 2: whether communication succeeded, and whether the call did. Version 3 has neither. */
  readonly returnCode?: string | undefined;
  readonly resultCode?: string | undefined;
}

/**
 * Why the outcome of a call is unknown. `no_answer`: no connection, or it broke. `timed_out`. `http_status`: a status
 * that decides nothing (5xx, 429). `return_code`: version 2's FAIL, which is unsigned. `bad_signature`: missing or
 * wrong, so the reply is ignored. `malformed`, `too_long`, `foreign` (another merchant or order). `undecided`: signed,
 * with a code that leaves it open (SYSTEMERROR, USERPAYING of a payment code …).
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
 * `refused`: a signed business failure (result_code FAIL, or an error of version 3 that is final). `unknown`: it may
 * have been done or not; a query tells. Codes are those of version 2 (`ORDERPAID`) at every API. An unknown
 * outcome has a code where the reply had one.
 */
export type CallResult<Value> =
  | { readonly outcome: "done"; readonly value: Value; readonly reply: ReplyFacts }
  | { readonly outcome: "refused"; readonly code: string; readonly description: Text; readonly reply: ReplyFacts }
  | {
      readonly outcome: "unknown";
      readonly reason: UnknownReason;
      readonly description: Text;
      readonly code?: string | undefined;
      readonly reply: ReplyFacts;
    };

export interface OrderToPlace {
  readonly outTradeNo: string;
  readonly description: string;
  /** Fen. */
  readonly amount: number;
  readonly tradeType: Exclude<BuyerTradeType, "MICROPAY">;
  /** The buyer's, for JSAPI. */
  readonly openid?: string | undefined;
  /** IP address of the buyer's device. */
  readonly clientIp: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export interface CodeOrderToPay extends Omit<OrderToPlace, "tradeType" | "openid"> {
  readonly authCode: string;
}

/** The provider's data for a placed order; its members depend on the trade type. */
export interface PlacedOrder {
  readonly prepayId?: string | undefined;
  readonly codeUrl?: string | undefined;
  readonly webUrl?: string | undefined;
  /** What an app passes to Alipay's client. */
  readonly orderStr?: string | undefined;
  /** The type by which the order was signed, whatever the settings say later. Version 3 signs by RSA, Alipay by RSA2. */
  readonly signType: SignType | "RSA" | "RSA2";
}

/** The answer of query order. Only `tradeState` decides. */
export interface QueriedOrder {
  readonly outTradeNo: string;
  readonly tradeState: TradeState;
  readonly description: string;
  /** Present once it was paid. Fen. */
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

export type RefundToFind = Pick<RefundToMake, "outTradeNo" | "outRefundNo">;

export interface QueriedRefund {
  readonly outRefundNo: string;
  readonly refundId: string;
  readonly status: RefundStatus;
  /** Fen. */
  readonly amount: number;
  /** Unix ms, once it is SUCCESS. */
  readonly succeededAt?: number | undefined;
}

export interface CommunicationFailure {
  readonly kind: "communication-failure";
  readonly version: PayWire;
  readonly message: string;
}

/** A verified payment notification for this merchant. It decides nothing: the receiver queries the order. */
export type PaymentNotification =
  | CommunicationFailure
  | {
      readonly kind: "payment";
      readonly version: PayWire;
      readonly outTradeNo: string;
      /** Both are missing only in a version 2 notification whose result_code is FAIL. Fen. */
      readonly total?: number | undefined;
      readonly transactionId?: string | undefined;
      readonly currency: string;
      /** As claimed: result_code of version 2, trade_state of version 3, trade_status of Alipay. */
      readonly resultCode?: string | undefined;
      readonly tradeState?: string | undefined;
    };

/**
 * A refund notification for this merchant. In version 2 it is encrypted but not signed, so its sender is not proven.
 * Query refund decides.
 */
export type RefundNotification =
  | CommunicationFailure
  | {
      readonly kind: "refund";
      readonly version: PayWire;
      readonly outTradeNo: string;
      readonly outRefundNo: string;
      /** As claimed, in the words of version 3 where it has one. */
      readonly status: string;
      /** These two may be missing. */
      readonly transactionId?: string | undefined;
      /** Fen, of the refund. */
      readonly amount?: number | undefined;
      readonly currency: string;
    };

/** A refused notification: forged, foreign, or unreadable. It changes nothing, and the reply says so. */
export class NotificationRefused extends Error {
  override readonly name = "NotificationRefused";
  /** One word for the history. */
  readonly reason: NotificationRefusal;
  constructor(reason: NotificationRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The calls to the provider. Each is tried once within its time limit. Callers decide on retries and always use the
 * same numbers. None rejects.
 */
export interface PaymentCalls {
  readonly version: PayWire;
  /** Query order says SUCCESS until all money has gone back, as only Alipay's does. */
  readonly keepsPaidAfterRefund?: true;
  placeOrder(order: OrderToPlace): Promise<CallResult<PlacedOrder>>;
  /** Done means SUCCESS. */
  payByCode(order: CodeOrderToPay): Promise<CallResult<QueriedOrder>>;
  /** @param withinMs shorter than the usual time limit */
  queryOrder(outTradeNo: string, withinMs?: number): Promise<CallResult<QueriedOrder>>;
  closeOrder(outTradeNo: string): Promise<CallResult<void>>;
  /** `again`: the provider asks for another call, as version 2 and Alipay do. */
  reverseOrder(outTradeNo: string): Promise<CallResult<{ readonly again: boolean }>>;
  /** Done means accepted, not finished. */
  refund(refund: RefundToMake): Promise<CallResult<QueriedRefund>>;
  /** @param withinMs shorter than the usual time limit */
  queryRefund(refund: RefundToFind, withinMs?: number): Promise<CallResult<QueriedRefund>>;
}

/**
 * The client's parameters for starting a payment on the platform, signed and without keys. NATIVE has `code_url`, MWEB
 * `mweb_url` (in both versions, our choice), a payment code nothing.
 * They are unsigned where the keys of the order's version are missing.
 */
export type PayParameters = (
  tradeType: BuyerTradeType,
  placed: PlacedOrder,
) => Promise<Readonly<Record<string, string>>>;

/** Reads notifications of one API. */
export interface NotificationReader {
  /**
   * @param body as received
   * @param signTypeOf the signature type by which the order of this out_trade_no was placed
   * @throws NotificationRefused
   */
  readPaymentNotification(
    body: Buffer,
    headers: IncomingHttpHeaders,
    signTypeOf?: (outTradeNo: string) => Promise<PlacedOrder["signType"] | undefined>,
  ): Promise<PaymentNotification>;
  /** @throws NotificationRefused */
  readRefundNotification(body: Buffer, headers: IncomingHttpHeaders): Promise<RefundNotification>;
}

export interface PaymentProvider extends PaymentCalls {
  readonly payParameters: PayParameters;
  /** Notifications may be of any API, whichever one the calls use. @throws NotificationRefused without its keys */
  readerOf(version: PayWire): NotificationReader;
  /** Closes its connections. Running calls end with `no_answer`. */
  close(): void;
}
