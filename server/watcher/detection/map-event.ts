/**
 * Maps two checks of a path to the five changes (spec: Events 2), named as inotifywait would. Pure: uses neither the
 * disk nor the clock.
 */
import type { FileChange } from "../../contract/app/file-events.ts";
import type { FileFacts, KnownFacts } from "./file-facts.ts";

export interface Change {
  readonly path: string;
  readonly ev: FileChange;
  /** The entry came from the path of the change before this one. */
  readonly isArrival?: true;
}

/**
 * File systems stamp times with a coarse clock: a time up to this much (ms) too early does not prove that a file is
 * older.
 */
export const clockTickMs = 20;

/**
 * Changes between two checks of the same file. `exact`: the platform's times are exact enough to distinguish a write
 * from a set time. A write stamps both times at once, `touch` also sets the access time to the same instant, and any
 * other set time differs from the moment of the change. Without it, a changed modification time counts as a write.
 */
export function changesBetween(before: KnownFacts, now: FileFacts, exact: boolean): FileChange[] {
  const stamped = now.modified !== before.modified;
  const written = now.size !== before.size || (stamped && !(exact && timesWereSet(now)));
  const attributes =
    ownershipOrModeDiffers(before, now) ||
    (now.changed !== before.changed && (!written || (exact && now.changed !== now.modified)));
  return [...(written ? (["modify"] as const) : []), ...(attributes ? (["attrib"] as const) : [])];
}

const timesWereSet = (now: FileFacts) => now.modified !== now.changed || now.accessed === now.modified;

export const ownershipOrModeDiffers = (before: KnownFacts, now: KnownFacts) =>
  now.mode !== before.mode || now.owner !== before.owner || now.group !== before.group;

/** The changes of a new file since it was created empty, as far as one check can determine. */
export function changesSinceCreation(now: FileFacts, exact: boolean): FileChange[] {
  if (now.kind !== "file" || now.links > 1) return [];
  const attributes = exact && now.changed !== now.modified;
  return [...(now.size > 0 ? (["modify"] as const) : []), ...(attributes ? (["attrib"] as const) : [])];
}

/** The changes that followed the creation. If a notification announced them, there is at least one. */
export function owedChanges(now: FileFacts, notified: boolean, exact: boolean): FileChange[] {
  if (now.kind !== "file") return [];
  const changes = changesSinceCreation(now, exact);
  return changes.length === 0 && notified && exact ? [now.size > 0 ? "modify" : "attrib"] : changes;
}

/** The circumstances in which a file appeared. */
export interface Arrival {
  /** When the parent folder was created, ms since 1970. */
  readonly folderBorn: number;
  /** Everything before this moment of the file system's clock has been seen; undefined where only the folder's age counts. */
  readonly seenUntil: number | undefined;
}

/**
 * `move` if the file is too old to have been created here: it existed before its folder, or before the last moment at
 * which it was not here. A hard link is as old as its file, but counts as created here.
 */
export function changeOnArrival(now: FileFacts, arrival: Arrival): "create" | "move" {
  if (now.born === 0 || (now.kind === "file" && now.links > 1)) return "create";
  const explainedFrom = Math.max(arrival.folderBorn, arrival.seenUntil ?? 0);
  return now.born < explainedFrom - clockTickMs ? "move" : "create";
}

/**
 * Whether a file came with its folder and has been written since that was moved in, where it was. A move of the file
 * itself into the folder would have left the time of its last write as it was.
 */
export const isWrittenSince = (now: FileFacts, movedIn = 0) =>
  now.kind === "file" && now.links === 1 && now.born > 0 && now.born < movedIn && now.modified > movedIn;
