import type { FileFacts } from "./file-facts.ts";

/** A path at which something may have changed, by a notification of the system or by a scan. */
export interface Hint {
  readonly path: string;
  /** How often the entry of this name was created, removed or replaced. 0: found by scanning its folder. */
  readonly renames: number;
  /** The content or the attributes were touched. */
  readonly changed: boolean;
  /** More than one notification of that. */
  readonly changedAgain?: boolean;
  /** A scan listed it, whether or not the system named it, too. */
  readonly found?: boolean;
  /** The scan did not list it, though it was known. */
  readonly missing?: boolean;
  /** When this hint arrived, everything before this moment (ms since 1970) had already produced its hint. */
  readonly seenUntil: number;
}

/** A hint, and the facts of its path. */
export interface Observation {
  readonly hint: Hint;
  readonly facts: FileFacts | undefined;
  settled: boolean;
}
