/**
 * Entries that left their path and may reappear at another. Each waits here for a short while: if it reappears it was
 * moved, otherwise it was deleted. This module has no clock: all times are monotonic milliseconds.
 */
import { dirname, sep } from "node:path";
import type { FileChange } from "../../contract/app/file-events.ts";
import { identityOf } from "./file-facts.ts";
import type { Hint } from "./hint.ts";
import type { TreeNode } from "./snapshot-tree.ts";

export interface Departure {
  /** As last reported: the folder that it left may itself be reported elsewhere before it is. */
  path: string;
  readonly node: TreeNode;
  /** Another entry is at its path by now. */
  replaced: boolean;
  /** Its folder was reported as deleted meanwhile. */
  folderIsGone?: boolean;
  /** The folder with which its path last moved. */
  movedWith?: TreeNode;
  /** Nothing names the entries of a folder that went with it. */
  readonly withContents: boolean;
  /** Its last hint, by which it was found missing. */
  readonly hint: Hint;
  /** Hints of entries that were not found below this folder, by their paths inside it: they may have gone with it. */
  readonly missedBelow: Hint[];
  /** When it was found missing. */
  readonly since: number;
}

export interface Departures {
  add(departure: Departure): void;
  /** Returns the departed entry with this identity. It is found no more, but its path goes on following its folder. */
  claim(identity: string): Departure | undefined;
  at(path: string): Departure | undefined;
  /** Notes an entry that is not below the departed folder's old path any more. */
  missedBelow(hint: Hint): void;
  /** Departed entries below a departed folder, innermost first. */
  below(folder: Pick<Departure, "path" | "node">): Departure[];
  remove(departure: Departure): void;
  /**
   * A folder was reported at a new place, and the entries that left it before with it. `successor`: the folder that was reported at
   * its old place already.
   */
  folderMoved(from: string, to: string, node: TreeNode, successor: TreeNode | undefined): void;
  /** Notes a new folder: an entry that left shortly before or after may be in it. */
  folderAppeared(at: number): void;
  /** Removes and returns the entries that have been missing for too long at `now`, in order of departure. */
  takeDue(now: number): Departure[];
  /** Missing entries whose path nothing else has taken. */
  missed(): Departure[];
  /** When the next one is due; undefined while nothing waits. */
  nextDue(): number | undefined;
}

/** A rename's two hints arrive together; the second may lag by at most this long. */
const pairWithinMs = 10;
/** The second name may lie in a folder too new to be watched. The scan of that folder then finds it. */
const pairWithNewFolderWithinMs = 100;

export function createDepartures(): Departures {
  const byPath = new Map<string, Departure>();
  const byIdentity = new Map<string, Departure>();
  const claimed = new Set<Departure>();
  let newFolderAt = -Infinity;
  const dueAt = ({ since }: Departure) =>
    since + (Math.abs(since - newFolderAt) < pairWithNewFolderWithinMs ? pairWithNewFolderWithinMs : pairWithinMs);
  const remove = (departure: Departure) => {
    claimed.delete(departure);
    if (byPath.get(departure.path) === departure) byPath.delete(departure.path);
    const identity = identityOf(departure.node.facts);
    if (byIdentity.get(identity) === departure) byIdentity.delete(identity);
  };
  return {
    add(departure) {
      byPath.set(departure.path, departure);
      byIdentity.set(identityOf(departure.node.facts), departure);
    },
    claim(identity) {
      const departure = byIdentity.get(identity);
      if (!departure) return undefined;
      remove(departure);
      claimed.add(departure);
      return departure;
    },
    at: (path) => byPath.get(path),
    missedBelow(hint) {
      let folder = dirname(hint.path);
      while (!byPath.has(folder) && dirname(folder) !== folder) folder = dirname(folder);
      byPath.get(folder)?.missedBelow.push({ ...hint, path: hint.path.slice(folder.length) });
    },
    below({ path, node }) {
      if (node.facts.kind !== "directory") return [];
      const inside = [...byPath.values()].filter((departure) => departure.path.startsWith(path + sep));
      return inside.sort((a, b) => b.path.length - a.path.length);
    },
    remove,
    folderMoved(from, to, node, successor) {
      for (const departure of [...byPath.values(), ...claimed]) {
        if (!departure.path.startsWith(from + sep)) continue;
        if (successor && departure.movedWith === successor) continue;
        departure.movedWith = node;
        if (byPath.get(departure.path) === departure) byPath.delete(departure.path);
        departure.path = to + departure.path.slice(from.length);
        departure.replaced = false;
        if (!claimed.has(departure)) byPath.set(departure.path, departure);
      }
    },
    folderAppeared(at) {
      newFolderAt = at;
    },
    takeDue(now) {
      const due = [...byPath.values()].filter((departure) => dueAt(departure) <= now);
      due.forEach(remove);
      return due;
    },
    missed: () => [...byPath.values()].filter(({ replaced }) => !replaced),
    nextDue() {
      let next: number | undefined;
      for (const departure of byPath.values()) next = Math.min(next ?? Infinity, dueAt(departure));
      return next;
    },
  };
}

/** The events of one deletion. `withContents`: the platform does not report the entries of a deleted folder. */
export function deletionsOf(departure: Pick<Departure, "path" | "node">, separator: string, withContents: boolean) {
  const deletions: { path: string; ev: FileChange }[] = [];
  const visit = (path: string, node: TreeNode) => {
    if (withContents) for (const [name, child] of node.children ?? []) visit(path + separator + name, child);
    deletions.push({ path, ev: "delete" });
  };
  visit(departure.path, departure.node);
  return deletions;
}
