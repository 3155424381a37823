import type { ReleaseLock, Instances } from "../../store/database.ts";
import { takeWhenFree } from "../../store/take-when-free.ts";
import { whileTaken } from "../../store/while-taken.ts";

/** One holder's contents. */
export interface Hold {
  readonly sha256s: readonly string[];
  /** Returns false where another instance may have removed one of them, because the database was away meanwhile. */
  release: () => Promise<boolean>;
}

/** Contents for which a row is about to be written. They must not be removed as unreferenced. */
export interface HeldContents {
  /**
   * From the call on, no removal of these contents starts. Resolves once a running one has ended; none is held when it
   * fails.
   */
  hold: (sha256s: readonly string[]) => Promise<Hold>;
  /** Runs `work` on a content and delays `hold` until it ends. Does nothing while somebody holds the content. */
  unlessHeld<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined>;
}

/** @param instances those that store into the same place */
export function createHeldContents(instances?: Pick<Instances, "take" | "share">): HeldContents {
  /** The number of holders of each content. */
  const held = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();

  const nameOf = (sha256: string) => `content ${sha256}`;

  function letGo(sha256: string): void {
    const left = (held.get(sha256) ?? 1) - 1;
    if (left === 0) held.delete(sha256);
    else held.set(sha256, left);
  }

  async function unlessShared<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined> {
    return (await whileTaken(instances && (() => instances.take(nameOf(sha256))), work))?.value;
  }

  return {
    async hold(sha256s) {
      for (const sha256 of sha256s) held.set(sha256, (held.get(sha256) ?? 0) + 1);
      const locks: ReleaseLock[] = [];
      async function release(): Promise<boolean> {
        sha256s.forEach(letGo);
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

    async unlessHeld(sha256, work) {
      while (busy.has(sha256)) await busy.get(sha256);
      if (held.has(sha256)) return undefined;
      const working = unlessShared(sha256, work);
      busy.set(
        sha256,
        working.catch(() => undefined),
      );
      return await working.finally(() => busy.delete(sha256));
    },
  };
}
