/**
 * The one ledger under both versions of the payment API: orders, payments and refunds of merchants. Only the ledger
 * changes a trade_state, and only by the transitions in trade-state.ts. Of two concurrent changes that exclude each
 * other, exactly one wins. It knows nothing of XML, JSON, signatures or notifications.
 */
import type { SimOrderSort } from "../../../contract/provider/sim-orders.ts";
import type {
  PaymentFailure,
  PayVersion,
  RefundStatus,
  SignType,
  TradeState,
  TradeType,
} from "../../../contract/provider/payment-terms.ts";

/** A merchant's request, which distinguishes a repeat from a different order. */
export interface OrderRequest {
  readonly mchId: string;
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeType: TradeType;
  /** The version that placed the order; its notifications use the same version. */
  readonly version: PayVersion;
  /** Version 2: the type of the order's signature, and so of its notifications. */
  readonly signType: SignType;
  /** `body` of version 2, `description` of version 3. */
  readonly description: string;
  /** Fen. */
  readonly total: number;
  readonly currency: string;
  readonly notifyUrl?: string | undefined;
  /** The address of the other machine that named that URL, empty if unknown; undefined: this machine. */
  readonly notifyFrom?: string | undefined;
  readonly openid?: string | undefined;
  readonly attach?: string | undefined;
  /**
   * Unix ms. Nobody can pay after it; the order stays NOTPAY until it is closed. By default seven days after the order.
   * A repeat does not change it; its original text belongs in `extra`.
   */
  readonly expiresAt?: number | undefined;
  /** True for an order in the sandbox of version 2, which signs with the merchant's sandbox key. */
  readonly sandbox?: boolean | undefined;
  /** The other fields as received (detail, scene_info, goods_tag, limit_pay …), compared on a repeat. */
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
  /** Unix ms when the prepay id and the QR code expire. Placing the same order again creates new ones. */
  readonly prepayExpiresAt: number;
  /** For a NATIVE order: the content of its QR code, which ends in the prepay id. */
  readonly codeUrl?: string | undefined;
  /** Digits; one per paid order. */
  readonly transactionId?: string | undefined;
  /** Unix ms. */
  readonly paidAt?: number | undefined;
  /** Unix ms when it was closed or reversed. */
  readonly endedAt?: number | undefined;
  readonly bankType?: string | undefined;
  /** The payer, if the order did not name one. */
  readonly payer?: string | undefined;
  /** Fen of `total` that coupons paid. */
  readonly couponFee: number;
  /** Fen of all refunds except closed ones. */
  readonly refunded: number;
  /** The parts of a combined order, which has no money of its own; undefined for other orders. */
  readonly parts?: readonly Order[] | undefined;
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
  /** Fen of `refund` that return to coupons; the buyer gets the rest. */
  readonly couponFee: number;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms when it was last accepted: at its creation, or when it was redirected. */
  readonly acceptedAt: number;
  readonly finishedAt?: number | undefined;
  /** The account that it goes to instead of that of the payment, after it was abnormal. */
  readonly paidTo?: string | undefined;
}

/** Identifies a merchant's order by its own number or the provider's; the provider's wins if both are given. */
export interface OrderKey {
  readonly mchId: string;
  readonly outTradeNo?: string | undefined;
  readonly transactionId?: string | undefined;
  /** Neither the sandbox of version 2 nor production has orders of the other. Undefined: an order of either. */
  readonly sandbox?: boolean | undefined;
  /** The combined order with that number, which calls about other orders do not find. */
  readonly combined?: true | undefined;
}

/** Identifies a refund, or all refunds of an order. */
export interface RefundKey extends OrderKey {
  readonly outRefundNo?: string | undefined;
  readonly refundId?: string | undefined;
}

/** A business refusal with the code of version 2 (`ORDERPAID`); version 3 maps it in its own file. */
export class PaymentRefusal extends Error {
  override readonly name = "PaymentRefusal";
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** How a payment code order continues. Sandbox cases and faults decide, or amounts over 1000 CNY ask for a password. */
export type CodePayment = "paid" | "asks-password" | "refused";

/** How a code payment continues, if the caller decides and not the ledger. */
export interface CodePaymentCase {
  readonly outcome?: CodePayment | undefined;
  /** Fen that coupons pay. */
  readonly couponFee?: number | undefined;
}

/**
 * Returns the owner of a payment code.
 * @throws PaymentRefusal AUTHCODEEXPIRE, AUTH_CODE_INVALID, NOTENOUGH … if it cannot be used
 */
export type ReadAuthCode = (
  authCode: string,
  request: OrderRequest,
) => Promise<{ readonly openid: string; readonly outcome?: CodePayment | undefined }>;

/** A committed change, as subscribers receive it. */
export type LedgerChange =
  | { readonly kind: "order"; readonly from: TradeState | undefined; readonly order: Order }
  | {
      readonly kind: "refund";
      readonly from: RefundStatus | undefined;
      readonly refund: Refund;
      readonly order: Order;
    }
  | { readonly kind: "failure"; readonly reason: PaymentFailure; readonly order: Order };

/** A buyer's attempt to pay that has failed. */
export interface FailedAttempt {
  /** Unix ms. */
  readonly at: number;
  readonly reason: PaymentFailure;
}

/** One line of a merchant's day: a payment, its reversal, or a refund. */
export interface Booking {
  readonly kind: "payment" | "reversal" | "refund";
  /** Unix ms. */
  readonly at: number;
  readonly order: Order;
  readonly refund?: Refund | undefined;
}

/** What the book moved in a merchant's accounts by one posting. */
export interface AccountMove {
  /** The posting's kind and number. */
  readonly kind: string;
  readonly subject: string;
  /** Unix ms. */
  readonly at: number;
  readonly order?: Order | undefined;
  readonly refund?: Refund | undefined;
  /** Fen, positive ones came in: a payment and its fee one by one, others as their sum. */
  readonly moved: readonly number[];
}

/** An operation that moved money, as it was booked. */
export interface MoneyMove {
  /** Unix ms. */
  readonly at: number;
  readonly kind: string;
  readonly subject: string;
  readonly lines: readonly { readonly account: string; readonly fen: number }[];
}

export interface OrderFilter {
  readonly mchId?: string | undefined;
  readonly tradeState?: TradeState | undefined;
  /** Searched in the merchant's number, the provider's number and the description. */
  readonly text?: string | undefined;
  /** Leaves out the orders of running receiver checks, and those of the console's own user. */
  readonly withoutInternal?: boolean | undefined;
  readonly limit: number;
  /** Only smaller ids. */
  readonly before?: number | undefined;
  /** Newest first by default. */
  readonly sort?: SimOrderSort;
  /** Rows to skip in a sorted list. */
  readonly offset?: number | undefined;
}

/** `couponFee`: fen that coupons pay. */
export interface PaidBy {
  readonly payer?: string | undefined;
  readonly bankType?: string | undefined;
  readonly couponFee?: number | undefined;
}

/** Every method resolves after its change is on disk. If a key matches nothing: PaymentRefusal ORDERNOTEXIST. */
export interface Ledger {
  /**
   * Accepts an order (NOTPAY). Repeating the same request while it is NOTPAY returns the same order.
   * @throws PaymentRefusal INVALID_REQUEST (other values than at first), OUT_TRADE_NO_USED, ORDERPAID, ORDERCLOSED
   */
  place(request: OrderRequest): Promise<Order>;
  /**
   * Accepts a combined order with its parts, which the buyer pays in one step; neither is paid or closed without the
   * others. A repeat is answered as by `place`.
   * @throws PaymentRefusal as `place`; OUT_TRADE_NO_USED also for the number of a part
   */
  placeCombined(request: OrderRequest, parts: readonly OrderRequest[]): Promise<Order>;
  /**
   * Accepts an order and the buyer's payment in one step.
   * @throws PaymentRefusal as `place`, those of the payment code, USERPAYING (a password is required), BANKERROR
   *   (refused)
   */
  payByCode(request: OrderRequest, authCode: string, how?: CodePaymentCase): Promise<Order>;
  find(key: OrderKey): Promise<Order | undefined>;
  /** @throws PaymentRefusal ORDERNOTEXIST */
  get(key: OrderKey): Promise<Order>;
  byPrepayId(prepayId: string): Promise<Order | undefined>;
  /** The newest first. */
  list(filter: OrderFilter): Promise<Order[]>;
  /** The number of orders that match the filter on all pages, and of all orders but hidden internal ones. */
  count(filter: Omit<OrderFilter, "limit">): Promise<{ total: number; stored: number }>;
  /**
   * The buyer pays: NOTPAY or USERPAYING → SUCCESS.
   * @throws PaymentRefusal ORDERPAID, ORDERCLOSED, ORDER_EXPIRED (our own code) …
   */
  pay(key: OrderKey, by?: PaidBy): Promise<Order>;
  /**
   * The buyer starts to pay and has `password_seconds` for the password: NOTPAY → USERPAYING; no change if already
   * USERPAYING.
   * @throws PaymentRefusal TRADE_ERROR (neither NATIVE nor MICROPAY), ORDERPAID, ORDERCLOSED, ORDER_EXPIRED …
   */
  askPassword(key: OrderKey): Promise<Order>;
  /**
   * The buyer's attempt fails: USERPAYING → PAYERROR (by payment code, unless cancelled) or NOTPAY; others stay NOTPAY.
   */
  failPayment(key: OrderKey, reason: PaymentFailure): Promise<Order>;
  /** The latest attempts that failed, oldest first. */
  failedAttempts(order: Pick<Order, "id">): Promise<FailedAttempt[]>;
  /**
   * @throws PaymentRefusal in this order: ORDERNOTEXIST, ORDERPAID, ORDERCLOSED, USERPAYING, FREQUENCY_LIMITED (younger
   *   than `closeMinAgeSeconds`)
   */
  close(key: OrderKey): Promise<Order>;
  /** Payment code orders only: → REVOKED; returns paid money. @throws PaymentRefusal USERPAYING, REVERSE_EXPIRE … */
  reverse(key: OrderKey): Promise<Order>;
  /**
   * The first refund changes SUCCESS to REFUND.
   * @throws PaymentRefusal NOTENOUGH, REFUND_FEE_MISMATCH, INVALID_REQ_TOO_MUCH …
   */
  refund(key: OrderKey, request: RefundRequest): Promise<{ refund: Refund; order: Order }>;
  /** One refund (`refundId`, else `outRefundNo`) or all of an order, oldest first; empty if none matches. */
  refunds(key: RefundKey): Promise<Refund[]>;
  /** The order that a refund belongs to. */
  orderOf(refund: Refund): Promise<Order>;
  /**
   * PROCESSING → SUCCESS, ABNORMAL or CLOSED, which returns the amount to the order. Idempotent. `acceptedAt`: only if it
   * was not accepted again since then.
   */
  finishRefund(refundId: string, status: Exclude<RefundStatus, "PROCESSING">, acceptedAt?: number): Promise<Refund>;
  /** ABNORMAL → PROCESSING, to another account. A repeat changes nothing. @throws PaymentRefusal INVALID_REQUEST … */
  redirectRefund(refundId: string, paidTo: string): Promise<Refund>;
  /** Ends the time to pay now. @throws PaymentRefusal ORDERPAID, ORDERCLOSED … if it cannot be paid in any case */
  expire(key: OrderKey): Promise<Order>;
  /** Payments, refunds and reversals since `from` and before `to` (Unix ms); without sandbox orders. */
  booked(mchId: string, from: number, to: number): Promise<Booking[]>;
  /** What all products moved in a merchant's accounts before `to` (Unix ms); a closed refund moved nothing. */
  moves(owner: string, to: number): Promise<AccountMove[]>;
  /** Oldest first. */
  moneyMoves(order: Order): Promise<MoneyMove[]>;
  /** Fen that a merchant has for refunds; undefined: unlimited. Only refunds change it. */
  balance(mchId: string): Promise<number | undefined>;
  setBalance(mchId: string, fen: number | undefined): Promise<void>;
  /** Called after each commit, in the order of commits. Returns the unsubscribe function. */
  subscribe(listen: (change: LedgerChange) => void): () => void;
}
