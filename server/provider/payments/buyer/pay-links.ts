/** Addresses at which a buyer pays. */

/** How long a link to the payment page of a mobile browser works. */
const linkLifetimeMs = 5 * 60_000;

/**
 * What version 2 calls `mweb_url` and version 3 `h5_url`: the page works for five minutes from now. A merchant may append
 * `&redirect_url=` with the address to which the buyer goes afterwards.
 * @param origin of the simulator as the merchant reaches it, without a slash at the end
 * @param now Unix ms
 */
export const h5PayUrl = (origin: string, prepayId: string, now: number): string =>
  `${origin}/pay/h5?prepay_id=${encodeURIComponent(prepayId)}&package=${String(now + linkLifetimeMs)}`;
