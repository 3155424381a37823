/** The watched tree as last seen, by path. A folder carries its subtree, so that a renamed folder moves in one step. */
import { basename, dirname, join } from "node:path";
import type { KnownFacts } from "./file-facts.ts";

export interface TreeNode {
  facts: KnownFacts;
  /** Folders only. */
  children?: Map<string, TreeNode>;
  /** The creation was reported, but the notification of the first write, if there was one, is still to come. */
  writeOwed?: boolean;
  /** Folders that came while we watched: how, and the change time that they had then. */
  arrived?: { readonly as: "create" | "move"; readonly changed: number };
}

export interface SnapshotTree {
  get(path: string): TreeNode | undefined;
  /**
   * Puts a node at a path. The folder above must be known. `name`: the path's last part, where the caller has it as a
   * string of its own; one cut from the path keeps the whole path in memory.
   */
  attach(path: string, node: TreeNode, name?: string): void;
  /** Takes a node, with its subtree, out of the tree. */
  detach(path: string): TreeNode | undefined;
  /** Names of the entries of a folder. */
  entries(path: string): Iterable<string>;
  /** Paths of all folders, the root first. */
  folders(): string[];
  /** Everything, the root first, each folder before what is in it. */
  nodes(): Iterable<PlacedNode>;
}

export type PlacedNode = readonly [path: string, node: TreeNode];

/** A node and everything below it, each folder before what is in it. */
export function* subtree(path: string, node: TreeNode): Generator<PlacedNode> {
  yield [path, node];
  for (const [name, child] of node.children ?? []) yield* subtree(join(path, name), child);
}

export function createSnapshotTree(rootPath: string, rootFacts: KnownFacts): SnapshotTree {
  const root: TreeNode = { facts: rootFacts };
  // Every folder by its path: a look-up splits off the name and walks nowhere.
  const folders = new Map([[rootPath, root]]);
  const eachFolder = (path: string, node: TreeNode, visit: (path: string, node: TreeNode) => void) => {
    if (node.facts.kind !== "directory") return;
    visit(path, node);
    for (const [name, child] of node.children ?? [])
      if (child.facts.kind === "directory") eachFolder(join(path, name), child, visit);
  };
  return {
    get: (path) => (path === rootPath ? root : folders.get(dirname(path))?.children?.get(basename(path))),
    attach(path, node, name = basename(path)) {
      const folder = folders.get(dirname(path));
      if (!folder) throw new Error(`no folder above ${path}`);
      (folder.children ??= new Map()).set(name, node);
      eachFolder(path, node, (key, value) => folders.set(key, value));
    },
    detach(path) {
      const siblings = folders.get(dirname(path))?.children;
      const node = siblings?.get(basename(path));
      siblings?.delete(basename(path));
      if (node) eachFolder(path, node, (key) => folders.delete(key));
      return node;
    },
    entries: (path) => folders.get(path)?.children?.keys() ?? [],
    folders: () => [...folders.keys()],
    nodes: () => subtree(rootPath, root),
  };
}
