/** The n-th number from 0 to 1 for a seed (mulberry32), so that only n has to be stored. */
export function seededDraw(seed: number, n: number): number {
  const state = (seed + Math.imul(n, 0x6d2b79f5)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
}
