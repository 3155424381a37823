/** Addresses where a buyer pays. */

/** How long a link to the mobile payment page is valid. */
const linkLifetimeMs = 5 * 60_000;

/**
 * The link that version 2 calls `mweb_url` and version 3 `h5_url`; valid for five minutes from now. A merchant may
 * append `&redirect_url=` with the address to which the buyer returns.
 * @param origin of the simulator as the merchant reaches it, without a trailing slash
 * @param now Unix ms
 */
export const h5PayUrl = (origin: string, prepayId: string, now: number): string =>
  `${origin}/pay/h5?prepay_id=${encodeURIComponent(prepayId)}&package=${String(now + linkLifetimeMs)}`;
