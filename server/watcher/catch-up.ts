/**
 * What changed while no watcher ran: the tree as the last run left it, against what the start finds. Two pictures tell
 * create, modify and delete only; a move is a delete and a create. An entry leaves the old picture when it is looked at.
 * Knows neither the disk nor the journal.
 */
import { basename, dirname, join, sep } from "node:path";
import type { FileChange } from "../contract/app/file-events.ts";
import { deletionsOf } from "./departures.ts";
import type { KnownFacts } from "./file-facts.ts";
import type { TreeNode } from "./snapshot-tree.ts";

export interface CatchUpDeps {
  /** Path of the watched folder, and what the last run knew of it. */
  readonly path: string;
  readonly root: TreeNode;
  /** Left out now, and left out then: no change is told from that. Each is true of what lies below, too. */
  readonly isExcluded: (path: string) => boolean;
  readonly wasExcluded: (path: string) => boolean;
}

export type CatchUp = ReturnType<typeof createCatchUp>;

/** A new inode alone says nothing where they are dealt out anew at each mount; with a new change time it was replaced. */
const isRewritten = (then: KnownFacts, now: KnownFacts) =>
  then.size !== now.size ||
  then.modified !== now.modified ||
  (then.inode !== now.inode && then.changed !== now.changed);

export function createCatchUp({ path: rootPath, root, isExcluded, wasExcluded }: CatchUpDeps) {
  /** Folders that are still there, with those of their entries that were not looked at yet. */
  const unread = new Map([[rootPath, root]]);
  /** Folders that were left out then, with everything below them. */
  const neverSeen = new Set<string>();

  function take(path: string): TreeNode | undefined {
    const siblings = unread.get(dirname(path))?.children;
    const node = siblings?.get(basename(path));
    siblings?.delete(basename(path));
    return node;
  }

  function withoutExcluded(path: string, node: TreeNode): TreeNode | undefined {
    if (isExcluded(path)) return undefined;
    const children = [...(node.children ?? [])].flatMap(([name, child]) => {
      const kept = withoutExcluded(join(path, name), child);
      return kept ? [[name, kept] as const] : [];
    });
    return { ...node, children: new Map(children) };
  }

  function isNew(path: string, { kind }: KnownFacts): boolean {
    if (!neverSeen.has(dirname(path)) && !wasExcluded(path)) return true;
    if (kind === "directory") neverSeen.add(path);
    return false;
  }

  /** The deletions of what was at a path, innermost first. */
  function deletions(path: string, node: TreeNode | undefined) {
    const reported = node && withoutExcluded(path, node);
    return reported ? deletionsOf({ path, node: reported }, sep, true) : [];
  }

  return {
    /** Names that a folder had and that were not looked at yet. */
    entries: (folder: string): Iterable<string> => unread.get(folder)?.children?.keys() ?? [],
    /** Compares what is at a path now. */
    found(path: string, facts: KnownFacts): { path: string; ev: FileChange }[] {
      const node = take(path);
      if (!node) return isNew(path, facts) ? [{ path, ev: "create" }] : [];
      if (node.facts.kind !== facts.kind) return [...deletions(path, node), { path, ev: "create" }];
      if (facts.kind === "directory") unread.set(path, node);
      return facts.kind !== "directory" && isRewritten(node.facts, facts) ? [{ path, ev: "modify" }] : [];
    },
    /** What was at a path is gone. */
    lost: (path: string) => deletions(path, take(path)),
    /** What was at a path, which cannot be looked at now or is left out. */
    take,
    /** What was never looked at, by the folder that it is in. */
    *rest(): Generator<[path: string, node: TreeNode]> {
      for (const [folder, { children = [] }] of unread)
        for (const [name, node] of children) yield [join(folder, name), node];
    },
  };
}
