/** Runs work in order, once enough earlier work has ended, in success or failure. */
export type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** @param atOnce the number of works that run at the same time */
export function createTurns(atOnce = 1): InTurn {
  let free = atOnce;
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
