/** The platform's fee on a merchant's payments. */

/** In ten thousandths of an amount (our choice: what most merchants pay). */
export const feeRate = 60;

/** In thousandths of a fen, so that sums are exact. */
export const feeOfCash = (fen: number): number => (fen * feeRate) / 10;

/** The fee as it moves in an account. */
export const wholeFeeOfCash = (fen: number): number => Math.round(feeOfCash(fen) / 1000);
