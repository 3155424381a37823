import type { GiveBack, Instances } from "../../store/database.ts";
import { takeWhenFree } from "../../store/take-when-free.ts";
import { whileTaken } from "../../store/while-taken.ts";

/** Contents for which a row is about to be written. They must not be removed as unreferenced. */
export interface HeldContents {
  /**
   * From the call on, no removal of these contents starts. Resolves once a running one has ended; none is held when it
   * fails.
   */
  hold: (sha256s: readonly string[]) => Promise<void>;
  /** Returns false where another instance may have removed one of them, because the database was away meanwhile. */
  release: (sha256s: readonly string[]) => Promise<boolean>;
  /** Runs `work` on a content and delays `hold` until it ends. Does nothing while somebody holds the content. */
  unlessHeld<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined>;
}

/** @param instances those that store into the same place */
export function createHeldContents(instances?: Pick<Instances, "take" | "share">): HeldContents {
  /** The number of holders of each content. */
  const held = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();
  /** What each holder of a content has among the instances. */
  const shares = new Map<string, GiveBack[]>();

  const nameOf = (sha256: string) => `content ${sha256}`;

  async function share(sha256: string): Promise<void> {
    const giveBack = instances && (await takeWhenFree(() => instances.share(nameOf(sha256))));
    if (giveBack) shares.set(sha256, [...(shares.get(sha256) ?? []), giveBack]);
  }

  function letGo(sha256: string): void {
    const left = (held.get(sha256) ?? 1) - 1;
    if (left === 0) held.delete(sha256);
    else held.set(sha256, left);
  }

  async function giveBack(sha256: string): Promise<boolean> {
    const all = shares.get(sha256);
    const one = all?.pop();
    if (all?.length === 0) shares.delete(sha256);
    return (await one?.()) ?? true;
  }

  async function unlessShared<Value>(sha256: string, work: () => Promise<Value>): Promise<Value | undefined> {
    return (await whileTaken(instances && (() => instances.take(nameOf(sha256))), work))?.value;
  }

  return {
    async hold(sha256s) {
      for (const sha256 of sha256s) held.set(sha256, (held.get(sha256) ?? 0) + 1);
      const shared: string[] = [];
      try {
        for (const sha256 of sha256s) {
          await busy.get(sha256);
          await share(sha256);
          shared.push(sha256);
        }
      } catch (error) {
        sha256s.forEach(letGo);
        await Promise.all(shared.map(giveBack));
        throw error;
      }
    },

    async release(sha256s) {
      sha256s.forEach(letGo);
      return (await Promise.all(sha256s.map(giveBack))).every(Boolean);
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
