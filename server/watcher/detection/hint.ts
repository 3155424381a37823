import type { FileFacts } from "./file-facts.ts";

/** What the system, or a scan, says of a path: that something may have happened there. */
export interface Hint {
  readonly path: string;
  /** How often the entry of this name was created, removed or replaced. 0: found by scanning its folder. */
  readonly renames: number;
  /** The content or the attributes were touched. */
  readonly changed: boolean;
  /** And more than once. */
  readonly changedAgain?: boolean;
  /** A look at what is there named it, whether or not the system did, too. */
  readonly found?: boolean;
  /** That look did not list it, though it was known. */
  readonly missing?: boolean;
  /** When this hint arrived, everything before this moment (ms since 1970) had already produced its hint. */
  readonly seenUntil: number;
}

/** A hint, and what is at its path. */
export interface Observation {
  readonly hint: Hint;
  readonly facts: FileFacts | undefined;
  settled: boolean;
}
