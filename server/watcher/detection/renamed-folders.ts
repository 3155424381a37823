/** A notification may name an entry by the path that it had before a folder above it was renamed. */
import { dirname } from "node:path";
import { identityOf, sameIdentity } from "./file-facts.ts";
import type { Hint, Observation } from "./hint.ts";
import type { SnapshotTree } from "./snapshot-tree.ts";

/** The path of an entry once the folders above it are at their new places (path by identity); undefined if none moved. */
function pathAfterRename(path: string, tree: SnapshotTree, places: ReadonlyMap<string, string>) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const node = tree.get(folder);
    if (!node) return undefined;
    const place = places.get(identityOf(node.facts));
    if (place !== undefined && place !== folder) return place + path.slice(folder.length);
  }
}

/** Only an entry whose own name changed leaves alone. Any other one goes with its folder, and its hint with it. */
export function followRenamedFolders(
  batch: Map<string, Observation>,
  tree: SnapshotTree,
  observe: (hint: Hint) => Observation | undefined,
): void {
  const found = [...batch.values()];
  const places = new Map(found.flatMap(({ facts, hint }) => (facts ? [[identityOf(facts), hint.path]] : [])));
  for (const { hint, facts } of found) {
    const known = facts || hint.renames > 0 ? undefined : tree.get(hint.path);
    const path = known && pathAfterRename(hint.path, tree, places);
    const there = path === undefined ? undefined : observe({ ...hint, path });
    if (!known || !there?.facts || !sameIdentity(known.facts, there.facts)) continue;
    batch.delete(hint.path);
    if (!batch.has(there.hint.path)) batch.set(there.hint.path, there);
  }
}
