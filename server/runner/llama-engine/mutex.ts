/** A mutex that admits its callers in the order of their calls. */
export function createMutex() {
  let tail: Promise<void> = Promise.resolve();
  return {
    /** Resolves when the caller holds the lock; the result releases it. */
    async take(): Promise<() => void> {
      const before = tail;
      const { promise, resolve } = Promise.withResolvers<void>();
      tail = before.then(() => promise);
      await before;
      return resolve;
    },
  };
}
