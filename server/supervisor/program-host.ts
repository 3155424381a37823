import type { Fork } from "./child.ts";

/** What the `hearth` commands need of the program in which they run: Node, or the desktop program. */
export interface ProgramHost {
  readonly fork: Fork;
  /** The command with which a user calls this program. */
  readonly command: string;
  /** No longer opens Hearth when its user logs in; true if it did. Absent where the program never does. */
  readonly removeLoginItem?: () => boolean;
  /** No longer opens links of Hearth's scheme; true if it did. Absent where the program never does. */
  readonly removeLinks?: () => boolean;
}
