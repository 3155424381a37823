import type { InTurn } from "./create-turns.ts";

/** Runs work in the order given, `most` at a time; the next begins when one has ended, in success or failure. */
export function fewAtOnce(most: number): InTurn {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    await (free > 0 ? free-- : new Promise<void>((begin) => waiting.push(begin)));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
