/**
 * Measures how far the clock of a file system is behind the machine's, as on a share or in a virtual machine. It writes no
 * file for that: the times that the file system stamped on new entries suffice. This module does not access the disk itself.
 */
import { dirname } from "node:path";
import { hasFacts, type FileFacts, type Reading } from "./file-facts.ts";
import type { Hint } from "./hint.ts";
import { clockTickMs } from "./map-event.ts";

export interface FileSystemClockDeps {
  readonly readFacts: (path: string) => Reading;
  /** The machine's clock, ms since 1970. */
  readonly date: () => number;
}

export function createFileSystemClock({ readFacts, date }: FileSystemClockDeps) {
  let behindMs = 0;
  /** A change happened after a moment of the machine's clock, and the file system stamped it. */
  function learn(after: number, stamp: number): void {
    const mostMs = Math.max(0, date() - stamp);
    behindMs = stamp < after - behindMs - clockTickMs ? mostMs : Math.min(behindMs, mostMs);
  }
  /** Everything before this moment of the file system's clock had produced its hint when that of a new entry came. */
  return ({ path, renames, seenUntil }: Hint, facts: FileFacts): number => {
    const isOld = facts.born < seenUntil - behindMs;
    const folder = isOld && renames > 0 ? readFacts(dirname(path)) : undefined;
    // The folder's stamp, too: not every file system changes that of an entry that is moved.
    if (hasFacts(folder)) learn(seenUntil, Math.max(folder.changed, facts.changed));
    return seenUntil - behindMs;
  };
}
