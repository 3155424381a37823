/**
 * The watched tree as stored between runs: notes of the facts of paths, in the order of the changes. Paths start at
 * the watched folder, which is the separator alone.
 */
import { sep } from "node:path";
import { z } from "zod";
import type { KnownFacts } from "../detection/file-facts.ts";
import type { TreeNode } from "../detection/snapshot-tree.ts";

const kinds = ["file", "directory", "other"] as const;

/** A path alone: it and everything below it is gone. The inode is text where a number is too small. */
export type TreeNote =
  | readonly [path: string]
  | readonly [
      path: string,
      kind: (typeof kinds)[number],
      inode: number | string,
      born: number,
      modified: number,
      changed: number,
      size: number,
      mode: number,
      owner: number,
      group: number,
    ];

/**
 * Checked by hand: there are many notes, and a schema takes several times as long as everything else that a start does
 * with them.
 */
function isNote(value: unknown): boolean {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const [, kind, inode, ...numbers] = value as unknown[];
  return (
    value.length === 1 ||
    (kinds.includes(kind as "file") &&
      (typeof inode === "number" || typeof inode === "string") &&
      numbers.length === 7 &&
      numbers.every((number) => typeof number === "number"))
  );
}
export const notesSchema = z.array(z.custom<TreeNote>(isNote));

/** The note of the facts of a path; without facts, of its removal. */
export function noteOf(path: string, facts: KnownFacts | undefined): TreeNote {
  if (!facts) return [path];
  const { kind, inode, born, modified, changed, size, mode, owner, group } = facts;
  const id = typeof inode === "bigint" ? String(inode) : inode;
  return [path, kind, id, born, modified, changed, size, mode, owner, group];
}

function factsOf(note: TreeNote): KnownFacts | undefined {
  if (note.length === 1) return undefined;
  const [, kind, id, born, modified, changed, size, mode, owner, group] = note;
  const inode = typeof id === "string" ? BigInt(id) : id;
  return { kind, inode, born, modified, changed, size, mode, owner, group, links: 0 };
}

/** Rebuilds a tree from its notes. The watched folder itself comes first. */
export function createTreeReader() {
  /** All folders by path. A deleted one may stay: a later one of the same path replaces it. */
  const folders = new Map<string, TreeNode>();
  function place(path: string, node: TreeNode | undefined): void {
    const end = path.lastIndexOf(sep);
    const folder = folders.get(path.slice(0, end) || sep);
    if (!folder) return;
    folder.children ??= new Map();
    if (node) folder.children.set(path.slice(end + 1), node);
    else folder.children.delete(path.slice(end + 1));
  }
  return {
    read(notes: readonly TreeNote[]): void {
      for (const note of notes) {
        const [path] = note;
        const facts = factsOf(note);
        const root = folders.get(sep);
        if (path === sep && root && facts) root.facts = facts;
        else {
          const node = facts && { facts };
          if (path !== sep) place(path, node);
          if (node?.facts.kind === "directory") folders.set(path, node);
        }
      }
    },
    /** The watched folder with everything in it; undefined if no note named it. */
    root: (): TreeNode | undefined => folders.get(sep),
  };
}
