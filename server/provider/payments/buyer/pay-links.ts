/** Addresses where a buyer pays. */
import type { ContractRow } from "../papay/contract-tables.ts";
import type { Order } from "../ledger/ledger.ts";

/** How long a link to the mobile payment page is valid. */
const linkLifetimeMs = 5 * 60_000;

/** Addresses of the simulator, without a trailing slash. */
export interface PaymentOrigins {
  /** For this machine. */
  readonly here: string;
  /** For buyers, whose phones are other devices; it changes with the network. */
  readonly forBuyers: () => string;
}

/** Links to the simulator's pages, once it listens. */
export class PayLinks {
  readonly #now: () => number;
  origins: PaymentOrigins = { here: "", forBuyers: () => "" };

  /** @param now Unix time in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The link that version 2 calls `mweb_url` and version 3 `h5_url`; valid for five minutes from now. A merchant may append
   * `&redirect_url=` with the address to which the buyer returns. At Alipay it is the cashier, valid as long as the order.
   */
  readonly h5 = ({ prepayId, version, prepayExpiresAt }: Order): string => {
    const until = version === "alipay" ? prepayExpiresAt : this.#now() + linkLifetimeMs;
    return `${this.origins.forBuyers()}/pay/h5?prepay_id=${encodeURIComponent(prepayId)}&package=${String(until)}`;
  };

  /** Where a user signs a contract. */
  readonly contract = ({ pre_sign_id }: Pick<ContractRow, "pre_sign_id">): string =>
    `${this.origins.forBuyers()}/pay/h5/contract?id=${pre_sign_id}`;

  /** Where a buyer pays the order in a browser, if possible. */
  readonly inBrowser = (order: Order): string | undefined => {
    if (order.prepayId === "") return undefined;
    if (order.tradeType === "MWEB") return this.h5(order);
    return order.tradeType === "NATIVE" ? `${this.origins.here}/sim/pay/${order.prepayId}` : undefined;
  };
}
