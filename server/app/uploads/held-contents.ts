/** Contents for which a row is about to be written. They must not be removed as unreferenced. */
export interface HeldContents {
  /** From the call on, no removal of these contents starts. Resolves once a running one has ended. */
  hold: (sha256s: readonly string[]) => Promise<void>;
  release: (sha256s: readonly string[]) => void;
  /** Runs `work` on a content and delays `hold` until it ends. Does nothing while somebody holds the content. */
  unlessHeld<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined>;
}

export function createHeldContents(): HeldContents {
  /** The number of holders of each content. */
  const held = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();

  return {
    async hold(sha256s) {
      for (const sha256 of sha256s) held.set(sha256, (held.get(sha256) ?? 0) + 1);
      for (const sha256 of sha256s) await busy.get(sha256);
    },

    release(sha256s) {
      for (const sha256 of sha256s) {
        const left = (held.get(sha256) ?? 1) - 1;
        if (left === 0) held.delete(sha256);
        else held.set(sha256, left);
      }
    },

    async unlessHeld(sha256, work) {
      while (busy.has(sha256)) await busy.get(sha256);
      if (held.has(sha256)) return undefined;
      const working = work();
      busy.set(
        sha256,
        working.catch(() => undefined),
      );
      return await working.finally(() => busy.delete(sha256));
    },
  };
}
