/**
 * Entries that left their path and may reappear at another. Each waits here for a short while: if it reappears it was
 * moved, otherwise it was deleted. This module has no clock.
 */
import { sep } from "node:path";
import type { FileChange } from "../contract/app/file-events.ts";
import { identityOf } from "./file-facts.ts";
import type { TreeNode } from "./snapshot-tree.ts";

export interface Departure {
  readonly path: string;
  readonly node: TreeNode;
  /** Another entry is at its path by now. */
  readonly replaced: boolean;
  /** When it was found missing, in monotonic milliseconds. */
  readonly since: number;
}

export interface Departures {
  add(departure: Departure): void;
  /** Removes and returns the departed file with this identity. */
  takeByIdentity(identity: string): Departure | undefined;
  at(path: string): Departure | undefined;
  /** What is missing below a missing folder, innermost first. */
  below(departure: Departure): Departure[];
  remove(departure: Departure): void;
  /** Removes and returns what has been missing for longer than `patience` (ms) at `now`, in order of departure. */
  takeDue(now: number, patience: (departure: Departure) => number): Departure[];
  /** Missing entries whose path nothing else has taken. */
  missed(): Departure[];
  /** When the next one is due; undefined while nothing waits. */
  nextDue(patience: (departure: Departure) => number): number | undefined;
}

export function createDepartures(): Departures {
  const byPath = new Map<string, Departure>();
  const byIdentity = new Map<string, Departure>();
  const remove = (departure: Departure) => {
    if (byPath.get(departure.path) === departure) byPath.delete(departure.path);
    const identity = identityOf(departure.node.facts);
    if (byIdentity.get(identity) === departure) byIdentity.delete(identity);
  };
  return {
    add(departure) {
      byPath.set(departure.path, departure);
      byIdentity.set(identityOf(departure.node.facts), departure);
    },
    takeByIdentity(identity) {
      const departure = byIdentity.get(identity);
      if (departure) remove(departure);
      return departure;
    },
    at: (path) => byPath.get(path),
    below({ path, node }) {
      if (node.facts.kind !== "directory") return [];
      const inside = [...byPath.values()].filter((departure) => departure.path.startsWith(path + sep));
      return inside.sort((a, b) => b.path.length - a.path.length);
    },
    remove,
    takeDue(now, patience) {
      const due = [...byPath.values()].filter((departure) => departure.since + patience(departure) <= now);
      due.forEach(remove);
      return due;
    },
    missed: () => [...byPath.values()].filter(({ replaced }) => !replaced),
    nextDue(patience) {
      let next: number | undefined;
      for (const departure of byPath.values()) {
        const due = departure.since + patience(departure);
        next = Math.min(next ?? due, due);
      }
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
