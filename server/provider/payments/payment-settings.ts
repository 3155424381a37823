/** Settings of the simulated platform that the ledger and the calls go by: a part of `/sim/settings`, handed in. */
export interface PaymentSettings {
  /** A younger order is not closed. */
  readonly closeMinAgeSeconds: number;
  readonly autoCloseAfterExpire: boolean;
  readonly commonErrorsAsErrCode: boolean;
  /** Time between two refunds of an order; 0: none is needed. The real one asks for 60. */
  readonly refund_interval_seconds: number;
  /** How long after a payment it cannot be reversed. The real one asks for 15. */
  readonly reverse_min_age_seconds: number;
  /** A payment by code above it asks for a password. */
  readonly password_above_fen: number;
  /** How long the buyer has for the password. */
  readonly password_seconds: number;
  /** Hand out a day's bill at any time, not only from 09:00 of the next day. */
  readonly bills_at_once: boolean;
  /** Refuse orders for an openid that nobody has. */
  readonly strict_openid: boolean;
}
