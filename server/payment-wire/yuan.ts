/** Amounts as bills and Alipay write them: yuan with two decimals. */
export const yuanText = (fen: number): string => (fen / 100).toFixed(2);

/** Fen of an amount in yuan with at most two decimals. */
export function fenOf(amount: unknown): number {
  const [whole = "0", part = ""] = String(amount).split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

/** Undefined for a text that is no amount. */
export const readYuan = (text: string): number | undefined =>
  /^\d{1,10}(?:\.\d{1,2})?$/.test(text) ? fenOf(text) : undefined;
