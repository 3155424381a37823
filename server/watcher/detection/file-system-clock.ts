/**
 * How far the clock of a file system is behind the machine's, as on a share or in a virtual machine. Nothing is written
 * to ask it: what an entry's appearance stamped tells. This module does not access the disk.
 */
import { clockTickMs } from "./map-event.ts";

/** @param date the machine's clock, ms since 1970 */
export function createFileSystemClock(date: () => number) {
  let behindMs = 0;
  return {
    /** The file system's time at a moment of the machine's clock, or a little earlier. */
    at: (moment: number) => moment - behindMs,
    /** Something happened after a moment of the machine's clock, which the file system stamped. */
    learn(after: number, stamp: number): void {
      const mostMs = Math.max(0, date() - stamp);
      behindMs = stamp < after - behindMs - clockTickMs ? mostMs : Math.min(behindMs, mostMs);
    },
  };
}
