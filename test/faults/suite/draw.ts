import { seededDraw } from "../../../server/process/seeded-draw.ts";

/** What a seed decides, in the order in which it is asked. */
export interface Draw {
  /** A whole number from `from` to `to`, both of them possible. */
  between(from: number, to: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
}

export function createDraw(seed: number): Draw {
  let asked = 0;
  const next = () => seededDraw(seed, asked++);
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    one: (list) => list[between(0, list.length - 1)] ?? list[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => between(0, 255))),
  };
}
