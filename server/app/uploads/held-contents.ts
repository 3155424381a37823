import type { ReleaseLock, Instances } from "../../store/database.ts";
import { takeWhenFree } from "../../store/take-when-free.ts";
import { whileTaken } from "../../store/while-taken.ts";

/** One holder's contents. */
export interface Hold {
  readonly sha256s: readonly string[];
  /** Returns false where another instance may have removed one of them, because the database was away meanwhile. */
  release: () => Promise<boolean>;
}

export type HeldContents = ReturnType<typeof createHeldContents>;

/**
 * Contents for which a row is about to be written. They must not be removed as unreferenced.
 * @param instances those that store into the same place
 */
export function createHeldContents(instances?: Pick<Instances, "take" | "share">) {
  /** The number of holders of each content. */
  const held = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();

  const nameOf = (sha256: string) => `content ${sha256}`;

  function releaseOne(sha256: string): void {
    const left = (held.get(sha256) ?? 1) - 1;
    if (left === 0) held.delete(sha256);
    else held.set(sha256, left);
  }

  return {
    /**
     * From the call on, no removal of these contents starts. Resolves once a running one has ended; none is held when it
     * fails.
     */
    async hold(sha256s: readonly string[]): Promise<Hold> {
      for (const sha256 of sha256s) held.set(sha256, (held.get(sha256) ?? 0) + 1);
      const locks: ReleaseLock[] = [];
      async function release(): Promise<boolean> {
        sha256s.forEach(releaseOne);
        return (await Promise.all(locks.map((unlock) => unlock()))).every(Boolean);
      }
      try {
        for (const sha256 of sha256s) {
          await busy.get(sha256);
          const unlock = instances && (await takeWhenFree(() => instances.share(nameOf(sha256))));
          if (unlock) locks.push(unlock);
        }
      } catch (error) {
        await release();
        throw error;
      }
      return { sha256s, release };
    },

    /** Runs `work` on a content and delays `hold` until it ends. Does nothing while somebody holds the content. */
    async runIfFree<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined> {
      while (busy.has(sha256)) await busy.get(sha256);
      if (held.has(sha256)) return undefined;
      const working = whileTaken(instances && (() => instances.take(nameOf(sha256))), work);
      const ended = working.catch(() => undefined);
      busy.set(sha256, ended);
      return (await working.finally(() => busy.delete(sha256)))?.value;
    },
  };
}
