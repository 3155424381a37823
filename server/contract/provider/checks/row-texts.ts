/** The form of a row's texts, and the sentences that several rows share. */
import type { PayVersion } from "../payment-terms.ts";

export interface RowText {
  /** Title in a table. */
  readonly name: string;
  /** The notification that the receiver gets. */
  readonly sent: string;
  /** The behaviour of a correct receiver. */
  readonly right: string;
  /** What a mistake here leads to. */
  readonly why: string;
  /** The version of WeChat Pay with this row; both unless given. */
  readonly version?: PayVersion;
}

export const asForged = "Anybody can send this request, and would get the goods without paying.";
export const asAmount = "The buyer would get the goods for another price.";
export const asForeign = "A payment to somebody else would buy your goods.";
export const asState = "The goods would leave although the money never came, or went back.";
export const asMalformed = "A broken or hostile request must neither stop the shop nor count as a payment.";
export const asRefund = "Anybody could mark orders as refunded.";
export const asCopies = "The platform sends each notification up to 16 times. The buyer would get the goods twice.";
export const asUnpaid = "The buyer has paid, and the order stays open.";

export const refusesForgery = "Refuses and settles nothing. Accepts the genuine notification that follows.";
export const refusedRefund = "Refuses and does not count the refund.";
export const notSettled = "Refuses and never settles the order.";
export const endsUnsettled = "Queries the order and does not settle it. May accept or refuse.";
