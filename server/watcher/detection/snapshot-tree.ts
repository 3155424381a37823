/**
 * The last known state of the watched tree, by path. A folder carries its subtree, so that a renamed folder moves in
 * one step.
 */
import { basename, dirname, join } from "node:path";
import type { KnownFacts } from "./file-facts.ts";

export interface TreeNode {
  facts: KnownFacts;
  /** Folders only. */
  children?: Map<string, TreeNode>;
  /** The creation was reported, but the notification of the first write, if any, has not arrived yet. */
  writeOwed?: boolean;
  /** One notification changed its attributes. A second one without a difference means that a write came before that. */
  touched?: true;
  /** For folders that a scan found: the notification of their creation or renaming has not arrived yet. */
  renameOwed?: true;
  /** For folders that the start could not read, and those in them: entries older than the watch are learned later. */
  unlearned?: true;
  /** For folders that appeared during the watch: how, and their change time then. */
  arrived?: { readonly as: "create" | "move"; readonly changed: number };
}

export interface SnapshotTree {
  get(path: string): TreeNode | undefined;
  hasFolder(path: string): boolean;
  /**
   * Places a node at a path. The parent must be a known folder. `name`: the path's last part, if the caller has it as a
   * separate string; a part cut from the path would keep the whole path in memory.
   */
  attach(path: string, node: TreeNode, name?: string): void;
  /** Removes a node and its subtree. */
  detach(path: string): TreeNode | undefined;
  /** Names of the entries of a folder. */
  entries(path: string): Iterable<string>;
  /** Paths of all folders, the root first. */
  folders(): string[];
  /** All nodes, the root first; each folder precedes its entries. */
  nodes(): Iterable<PlacedNode>;
}

export type PlacedNode = readonly [path: string, node: TreeNode];

/** A node and everything below it; each folder precedes its entries. */
export function* subtree(path: string, node: TreeNode): Generator<PlacedNode> {
  yield [path, node];
  for (const [name, child] of node.children ?? []) yield* subtree(join(path, name), child);
}

export function createSnapshotTree(rootPath: string, rootFacts: KnownFacts): SnapshotTree {
  const root: TreeNode = { facts: rootFacts };
  // All folders by path: a look-up splits off the name and traverses nothing.
  const folders = new Map([[rootPath, root]]);
  const eachFolder = (path: string, node: TreeNode, visit: (path: string, node: TreeNode) => void) => {
    if (node.facts.kind !== "directory") return;
    visit(path, node);
    for (const [name, child] of node.children ?? [])
      if (child.facts.kind === "directory") eachFolder(join(path, name), child, visit);
  };
  return {
    get: (path) => (path === rootPath ? root : folders.get(dirname(path))?.children?.get(basename(path))),
    hasFolder: (path) => folders.has(path),
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
