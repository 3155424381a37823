/** What goes wrong with refunds after they were accepted. */
import type { RefundStatus } from "../../../contract/payment-terms.ts";
import type { Order, Refund } from "../ledger/ledger.ts";

export interface RefundOutcome {
  /** PROCESSING: it never ends. */
  readonly status: RefundStatus;
  /** From its acceptance; in the clock of the simulator, not scaled. */
  readonly afterSeconds: number;
}

export interface RefundFaults {
  /**
   * How a refund ends that a fault has hit; undefined for one that ends as the settings say. The answer for a refund is
   * the same each time it is asked, over restarts, too.
   */
  outcomeOf(order: Order, refund: Refund): Promise<RefundOutcome | undefined>;
}
