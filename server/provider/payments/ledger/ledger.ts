/**
 * The one ledger under both versions of the payment API: orders, payments and refunds of merchants. It alone changes a
 * trade_state, and only by the transitions that trade-state.ts allows; of two changes at once that exclude each other
 * exactly one wins. It knows nothing of XML, JSON, signatures or notifications.
 */
import type {
  PayVersion,
  RefundStatus,
  SignType,
  TradeState,
  TradeType,
} from "../../../contract/provider/payment-terms.ts";

/** What a merchant asked for, by which a repeated request is told from a different one. */
export interface OrderRequest {
  readonly mchId: string;
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeType: TradeType;
  /** The version by which it was placed; notifications are written in it. */
  readonly version: PayVersion;
  /** Version 2: the type of the order's signature, and so of its notifications. */
  readonly signType: SignType;
  /** `body` of version 2, `description` of version 3. */
  readonly description: string;
  /** Fen. */
  readonly total: number;
  readonly currency: string;
  readonly notifyUrl?: string | undefined;
  /** The address from which somebody on another machine named that URL, empty where it is not known; undefined: this machine. */
  readonly notifyFrom?: string | undefined;
  readonly openid?: string | undefined;
  readonly attach?: string | undefined;
  /**
   * Unix ms. Nobody can pay after it; the order stays NOTPAY until it is closed. Seven days after the order where none is
   * given. A repeat does not change it: the text that asked for it belongs into `extra`.
   */
  readonly expiresAt?: number | undefined;
  /** True for an order of version 2's sandbox, which signs with the merchant's sandbox key. */
  readonly sandbox?: boolean | undefined;
  /** The other fields as they came (detail, scene_info, goods_tag, limit_pay …), compared on a repeat. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface Order extends OrderRequest {
  readonly id: number;
  readonly tradeState: TradeState;
  readonly expiresAt: number;
  readonly sandbox: boolean;
  /** Unix ms. */
  readonly createdAt: number;
  /** Empty for a payment code order. */
  readonly prepayId: string;
  /** Unix ms after which the prepay id and the QR code are worth nothing; the same order placed again gets new ones. */
  readonly prepayExpiresAt: number;
  /** Of a NATIVE order: what its QR code says; ends in the prepay id. */
  readonly codeUrl?: string | undefined;
  /** Digits; one per paid order. */
  readonly transactionId?: string | undefined;
  /** Unix ms. */
  readonly paidAt?: number | undefined;
  /** Unix ms of its closing or reversal. */
  readonly endedAt?: number | undefined;
  readonly bankType?: string | undefined;
  /** Who paid, where the order did not say. */
  readonly payer?: string | undefined;
  /** Fen of `total` that coupons paid (sandbox cases). */
  readonly couponFee: number;
  /** Fen of all refunds that were not closed. */
  readonly refunded: number;
}

export interface RefundRequest {
  readonly outRefundNo: string;
  /** Fen, of the whole order and of this refund. */
  readonly total: number;
  readonly refund: number;
  readonly currency: string;
  readonly reason?: string | undefined;
  readonly notifyUrl?: string | undefined;
  /** As of an order. */
  readonly notifyFrom?: string | undefined;
  readonly account?: string | undefined;
  readonly version: PayVersion;
}

export interface Refund extends RefundRequest {
  readonly id: number;
  readonly orderId: number;
  /** Digits. */
  readonly refundId: string;
  readonly status: RefundStatus;
  /** Unix ms. */
  readonly createdAt: number;
  readonly finishedAt?: number | undefined;
}

/** The order of a merchant, by its number or by the provider's; the latter wins where both are given. */
export interface OrderKey {
  readonly mchId: string;
  readonly outTradeNo?: string | undefined;
  readonly transactionId?: string | undefined;
}

/**
 * A business refusal, in the words of version 2 (`ORDERPAID`); version 3 spells and numbers them in its own file.
 */
export class PaymentRefusal extends Error {
  override readonly name = "PaymentRefusal";
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** How a payment code order goes on after it was taken (sandbox cases and faults choose; amount over 1000 CNY asks for a password). */
export type CodePayment = "paid" | "asks-password" | "refused";

/** How a code payment goes, where the caller knows better than the ledger. */
export interface CodePaymentCase {
  readonly outcome?: CodePayment | undefined;
  /** Fen that coupons pay. */
  readonly couponFee?: number | undefined;
}

/**
 * Whose payment code it is.
 * @throws PaymentRefusal AUTHCODEEXPIRE, AUTH_CODE_INVALID, NOTENOUGH … where it cannot be paid with
 */
export type ReadAuthCode = (
  authCode: string,
  request: OrderRequest,
) => Promise<{ readonly openid: string; readonly outcome?: CodePayment | undefined }>;

/** What has changed, told to whoever subscribed after it was committed. */
export type LedgerChange =
  | { readonly kind: "order"; readonly from: TradeState | undefined; readonly order: Order }
  | {
      readonly kind: "refund";
      readonly from: RefundStatus | undefined;
      readonly refund: Refund;
      readonly order: Order;
    };

/** One line of a merchant's day: a payment, its reversal, or a refund. */
export interface Booking {
  readonly kind: "payment" | "reversal" | "refund";
  /** Unix ms. */
  readonly at: number;
  readonly order: Order;
  readonly refund?: Refund | undefined;
}

export interface OrderFilter {
  readonly mchId?: string;
  readonly tradeState?: TradeState;
  /** In the merchant's number, in the provider's, or in the description. */
  readonly text?: string;
  readonly limit: number;
  /** Only smaller ids. */
  readonly before?: number;
}

/** Every method answers after the change is on disk. Where a key fits nothing: PaymentRefusal ORDERNOTEXIST. */
export interface Ledger {
  /**
   * Takes an order (NOTPAY). The same request again while it is NOTPAY gives the same order.
   * @throws PaymentRefusal INVALID_REQUEST (other values than at first), OUT_TRADE_NO_USED, ORDERPAID, ORDERCLOSED
   */
  place(request: OrderRequest): Promise<Order>;
  /**
   * Takes an order and the buyer's payment in one step.
   * @throws PaymentRefusal as `place`, those of the payment code, USERPAYING (a password is asked for), BANKERROR (refused)
   */
  payByCode(request: OrderRequest, authCode: string, how?: CodePaymentCase): Promise<Order>;
  find(key: OrderKey): Promise<Order | undefined>;
  /** @throws PaymentRefusal ORDERNOTEXIST */
  get(key: OrderKey): Promise<Order>;
  byPrepayId(prepayId: string): Promise<Order | undefined>;
  /** The newest first. */
  list(filter: OrderFilter): Promise<Order[]>;
  /** The buyer pays: NOTPAY or USERPAYING → SUCCESS. @throws PaymentRefusal ORDERPAID, ORDERCLOSED, ORDER_EXPIRED (our own word) … */
  pay(key: OrderKey, by?: { payer?: string; bankType?: string }): Promise<Order>;
  /**
   * The buyer is at it, and has `password_seconds` for the password: NOTPAY → USERPAYING; asked already: no change.
   * @throws PaymentRefusal TRADE_ERROR (neither NATIVE nor MICROPAY), ORDERPAID, ORDERCLOSED, ORDER_EXPIRED …
   */
  askPassword(key: OrderKey): Promise<Order>;
  /**
   * The buyer's attempt fails: USERPAYING → PAYERROR (`bank`, by payment code only) or NOTPAY; other orders stay NOTPAY.
   */
  failPayment(key: OrderKey, how: "bank" | "cancel"): Promise<Order>;
  /** @throws PaymentRefusal ORDERNOTEXIST, ORDERPAID, ORDERCLOSED, USERPAYING, FREQUENCY_LIMITED (younger than `closeMinAgeSeconds`), in this order */
  close(key: OrderKey): Promise<Order>;
  /** Payment code orders only: → REVOKED, the money returned if it was taken. @throws PaymentRefusal USERPAYING, REVERSE_EXPIRE … */
  reverse(key: OrderKey): Promise<Order>;
  /** SUCCESS → REFUND at the first refund. @throws PaymentRefusal NOTENOUGH, REFUND_FEE_MISMATCH, INVALID_REQ_TOO_MUCH … */
  refund(key: OrderKey, request: RefundRequest): Promise<{ refund: Refund; order: Order }>;
  /** One refund (`refundId`, else `outRefundNo`) or all of an order, oldest first; empty where nothing fits. */
  refunds(key: OrderKey & { outRefundNo?: string | undefined; refundId?: string | undefined }): Promise<Refund[]>;
  /** The order that a refund belongs to. */
  orderOf(refund: Refund): Promise<Order>;
  /** PROCESSING → SUCCESS, ABNORMAL or CLOSED, which gives its amount back to the order. Finished as such already: no change. */
  finishRefund(refundId: string, status: Exclude<RefundStatus, "PROCESSING">): Promise<Refund>;
  /** Its time is over from now on. @throws PaymentRefusal ORDERPAID, ORDERCLOSED … where nobody could pay any more anyhow */
  expire(key: OrderKey): Promise<Order>;
  /** What was paid, and what was refunded or reversed, from `from` to before `to` (Unix ms); sandbox orders are left out. */
  booked(mchId: string, from: number, to: number): Promise<Booking[]>;
  /** Fen that a merchant has for refunds; undefined: as much as it takes. Only refunds change it. */
  balance(mchId: string): Promise<number | undefined>;
  setBalance(mchId: string, fen: number | undefined): Promise<void>;
  /** Called after each commit, in the order of commits. Returns the way to stop. */
  subscribe(listen: (change: LedgerChange) => void): () => void;
}
