import type { Fork } from "./processes/child.ts";

/** The program in which the `hearth` commands run: Node, or the desktop program. */
export interface ProgramHost {
  readonly fork: Fork;
  /** The command with which a user calls this program. */
  readonly command: string;
  /** Stops opening Hearth when its user logs in; true if it did. Absent in programs that never do. */
  readonly removeLoginItem?: () => boolean;
}
