/** Runs jobs one after the other, in the order in which they asked. */
export function createTurnLock() {
  let tail: Promise<void> = Promise.resolve();
  return {
    /** Resolves when it is the caller's turn; calling the result passes the turn on. */
    async take(): Promise<() => void> {
      const before = tail;
      const { promise, resolve } = Promise.withResolvers<void>();
      tail = before.then(() => promise);
      await before;
      return resolve;
    },
  };
}
