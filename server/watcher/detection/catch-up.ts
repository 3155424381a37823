/**
 * Finds what changed while no watcher ran: compares the tree that the last run recorded with what the start finds. Two
 * snapshots only show create, modify and delete; a move appears as a delete and a create. Checking an entry removes it
 * from the old snapshot. This module accesses neither the disk nor the journal.
 */
import { basename, dirname, join, sep } from "node:path";
import type { FileChange } from "../../contract/app/file-events.ts";
import { deletionsOf } from "./departures.ts";
import type { KnownFacts } from "./file-facts.ts";
import type { TreeNode } from "./snapshot-tree.ts";

export interface CatchUpDeps {
  /** Path of the watched folder, and its tree as the last run recorded it. */
  readonly path: string;
  readonly root: TreeNode;
  /**
   * Whether a path is excluded now, or was in the last run: neither is reported. Both also hold for all paths below.
   */
  readonly isExcluded: (path: string) => boolean;
  readonly wasExcluded: (path: string) => boolean;
  /** Whether it is the tree of another folder. All folders in it are others then, which is no change of them. */
  readonly isElsewhere: boolean;
}

export type CatchUp = ReturnType<typeof createCatchUp>;

/** A new inode proves a replacement only with a new change time: some file systems assign new inodes at each mount. */
const hasNewInode = (then: KnownFacts, now: KnownFacts) => then.inode !== now.inode && then.changed !== now.changed;

const isRewritten = (then: KnownFacts, now: KnownFacts) =>
  then.size !== now.size || then.modified !== now.modified || hasNewInode(then, now);

/** Whether another folder is in the place of one, by the inode only where the time of birth is not kept. */
const isAnotherFolder = (then: KnownFacts, now: KnownFacts) =>
  now.born === 0 ? hasNewInode(then, now) : then.born !== now.born;

export function createCatchUp({ path: rootPath, root, isExcluded, wasExcluded, isElsewhere }: CatchUpDeps) {
  /** Folders that still exist, with their entries that are not checked yet. */
  const unread = new Map([[rootPath, root]]);
  /** Folders that the last run excluded, with everything below them. */
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

  /** The deletions of a path and everything below it, innermost first. */
  function deletions(path: string, node: TreeNode | undefined) {
    const reported = node && withoutExcluded(path, node);
    return reported ? deletionsOf({ path, node: reported }, sep, true) : [];
  }

  return {
    /** Names that a folder had and that are not checked yet. */
    entries: (folder: string): Iterable<string> => unread.get(folder)?.children?.keys() ?? [],
    /** Compares a path's current facts with the old snapshot. */
    found(path: string, facts: KnownFacts): { path: string; ev: FileChange }[] {
      const node = take(path);
      if (!node) return isNew(path, facts) ? [{ path, ev: "create" }] : [];
      if (node.facts.kind !== facts.kind) return [...deletions(path, node), { path, ev: "create" }];
      if (facts.kind !== "directory") return isRewritten(node.facts, facts) ? [{ path, ev: "modify" }] : [];
      unread.set(path, node);
      // A receiver that was late may have found none in between.
      return !isElsewhere && isAnotherFolder(node.facts, facts) ? [{ path, ev: "create" }] : [];
    },
    /** Reports that a path no longer exists. */
    lost: (path: string) => deletions(path, take(path)),
    /** Removes and returns the old node of a path that cannot be read or is excluded now. */
    take,
    /** Every entry that was never checked, grouped by folder. */
    *rest(): Generator<[path: string, node: TreeNode]> {
      for (const [folder, { children = [] }] of unread)
        for (const [name, node] of children) yield [join(folder, name), node];
    },
  };
}
