/**
 * Which of the five changes two looks at a path amount to (spec: Events 2), as inotifywait would name them. Pure: knows
 * neither the disk nor the clock.
 */
import type { FileChange } from "../contract/app/file-events.ts";
import type { FileFacts, KnownFacts } from "./file-facts.ts";

/** File systems stamp times by a coarse clock; this much (ms) earlier than it really was is no evidence of age. */
const clockTickMs = 20;

/**
 * Changes between two looks at the same file. `exact` says that the platform's times are exact enough to tell a write
 * from a set time: a write stamps both times at once, `touch` sets the access time to the same instant as well, any other
 * set time differs from the moment of the change. Elsewhere a moved modification time counts as a write.
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

const ownershipOrModeDiffers = (before: KnownFacts, now: KnownFacts) =>
  now.mode !== before.mode || now.owner !== before.owner || now.group !== before.group;

/**
 * A folder's times move with its contents, which is no change of its own. `named`: the platform named the folder itself,
 * as it does when its attributes are changed.
 */
export const folderAttributesChanged = (before: KnownFacts, now: FileFacts, named: boolean) =>
  ownershipOrModeDiffers(before, now) || (named && now.changed !== before.changed && timesWereSet(now));

/** Changes that a new file has seen since it was created empty, as far as a look at it can tell. */
export function changesSinceCreation(now: FileFacts, exact: boolean): FileChange[] {
  if (now.kind !== "file" || now.links > 1) return [];
  const attributes = exact && now.changed !== now.modified;
  return [...(now.size > 0 ? (["modify"] as const) : []), ...(attributes ? (["attrib"] as const) : [])];
}

/** What was true of a file's surroundings when it appeared. */
export interface Arrival {
  /** When the folder that holds it was created, ms since 1970. */
  readonly folderBorn: number;
  /** Everything that happened before this moment has been seen; undefined where only the folder's age counts. */
  readonly seenUntil: number | undefined;
}

/**
 * `move` when the file is older than its appearance can explain: it existed before its folder did, or before the last
 * moment at which it was not here. A hard link is as old as its file, but it was made here.
 */
export function changeOnArrival(now: FileFacts, arrival: Arrival): "create" | "move" {
  if (now.born === 0 || (now.kind === "file" && now.links > 1)) return "create";
  const explainedFrom = Math.max(arrival.folderBorn, arrival.seenUntil ?? 0);
  return now.born < explainedFrom - clockTickMs ? "move" : "create";
}
