/** Reads the facts of hinted paths, each under the entry's own path. */
import type { Hint, Observation } from "./hint.ts";
import { createOwnPath, type OwnPathDeps } from "./own-path.ts";
import type { SnapshotTree } from "./snapshot-tree.ts";

interface Deps extends OwnPathDeps {
  readonly root: string;
}

/** For one batch of hints. */
export function createObserver(tree: SnapshotTree, { root, ...deps }: Deps) {
  const ownPath = createOwnPath(deps);
  /** Whether the name may not be the entry's own: it was renamed, or no listing contained the name. */
  const isDoubted = ({ path, renames, missing, found }: Hint) => renames > 0 || missing || !(found || tree.get(path));

  /** Returns undefined if the path cannot be read: it may still exist. */
  function observe(hint: Hint): Observation | undefined {
    const facts = hint.path === root ? undefined : deps.readFacts(hint.path);
    if (facts === "unreadable") return undefined;
    const path = facts && isDoubted(hint) ? ownPath(hint.path, facts) : hint.path;
    return { hint: path === hint.path ? hint : { ...hint, path }, facts, settled: hint.path === root };
  }

  return {
    observe,
    /** Reads each path. Returns the observations, and the hints whose paths cannot be read. */
    observeEach(hints: readonly Hint[]): { batch: Map<string, Observation>; unreadable: Hint[] } {
      const batch = new Map<string, Observation>();
      const unreadable: Hint[] = [];
      for (const hint of hints) {
        const one = observe(hint);
        if (!one) unreadable.push(hint);
        else if (one.hint.path === hint.path) batch.set(hint.path, one);
        else {
          batch.set(hint.path, { hint, facts: undefined, settled: false });
          if (!batch.has(one.hint.path)) batch.set(one.hint.path, one);
        }
      }
      return { batch, unreadable };
    },
  };
}
