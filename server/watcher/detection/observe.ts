/** Looks at what hints name, under each entry's own path. */
import type { Hint, Observation } from "./hint.ts";
import { createOwnPath, type OwnPathDeps } from "./own-path.ts";
import type { SnapshotTree } from "./snapshot-tree.ts";

interface Deps extends OwnPathDeps {
  readonly root: string;
}

/** For one batch of hints. */
export function createObserver(tree: SnapshotTree, { root, ...deps }: Deps) {
  const ownPath = createOwnPath(deps);
  /** Whether the name may be none of the entry: it was renamed, or nothing that listed it named it. */
  const isDoubted = ({ path, renames, missing, found }: Hint) => renames > 0 || missing || !(found || tree.get(path));

  /** Returns undefined if the path cannot be read: nothing is known of it then, least of all that it is gone. */
  function observe(hint: Hint): Observation | undefined {
    const facts = hint.path === root ? undefined : deps.readFacts(hint.path);
    if (facts === "unreadable") return undefined;
    const path = facts && isDoubted(hint) ? ownPath(hint.path, facts) : hint.path;
    return { hint: path === hint.path ? hint : { ...hint, path }, facts, settled: hint.path === root };
  }

  return {
    observe,
    /** What is at each path, and the hints whose paths cannot be read. */
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
