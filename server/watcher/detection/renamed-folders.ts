/** A notification may name an entry by the path that it had before a folder above it was renamed. */
import { dirname } from "node:path";
import { identityOf, sameIdentity } from "./file-facts.ts";
import type { Hint, Observation } from "./hint.ts";
import type { SnapshotTree, TreeNode } from "./snapshot-tree.ts";

/** The path of an entry once the folders above it are at their new places (path by identity); undefined if none moved. */
function pathAfterRename(path: string, tree: SnapshotTree, places: ReadonlyMap<string, string>) {
  // The root of a file system is its own folder, and is not renamed.
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const node = tree.get(folder);
    if (!node) return undefined;
    const place = places.get(identityOf(node.facts));
    if (place !== undefined && place !== folder) return place + path.slice(folder.length);
  }
  return undefined;
}

/**
 * Adds an observation of the present path for each hint below a renamed folder. Returns the entries that went with their
 * folders: an entry that is not there any more has left alone.
 */
export function followRenamedFolders(
  batch: Map<string, Observation>,
  tree: SnapshotTree,
  observe: (hint: Hint) => Observation | undefined,
): ReadonlySet<TreeNode> {
  const places = new Map<string, string>();
  const along = new Set<TreeNode>();
  const learn = ({ facts, hint }: Observation) => {
    if (facts?.kind === "directory") places.set(identityOf(facts), hint.path);
  };
  const looks = [...batch.values()];
  looks.forEach(learn);
  if (places.size === 0) return along;
  // A found entry may be a renamed folder itself, above the paths of other hints.
  for (let known = 0; known < looks.length;) {
    known = looks.length;
    for (const { hint, facts } of looks) {
      const path = pathAfterRename(hint.path, tree, places);
      const there = path === undefined ? undefined : (batch.get(path) ?? observe({ ...hint, path }));
      if (!there?.facts) continue;
      const node = tree.get(hint.path);
      if (node && sameIdentity(node.facts, there.facts)) along.add(node);
      if (!facts && (!node || along.has(node))) batch.delete(hint.path);
      if (batch.has(there.hint.path)) continue;
      batch.set(there.hint.path, there);
      looks.push(there);
      learn(there);
    }
  }
  return along;
}

/** Whether another folder is by now at the place of the entry's folder, or of one above it: the entry was moved into it. */
export function isInOtherFolder(path: string, tree: SnapshotTree, batch: ReadonlyMap<string, Observation>): boolean {
  const folder = dirname(path);
  const [known, facts] = [tree.get(folder), batch.get(folder)?.facts];
  if (!known) return false;
  return (facts && !sameIdentity(known.facts, facts)) || isInOtherFolder(folder, tree, batch);
}
