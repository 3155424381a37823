import type { FileChange } from "../contract/app/file-events.ts";
import type { AskFolder } from "./folder/ask-folder.ts";

export interface WatchOptions {
  /** The folder to watch, with everything below it. */
  readonly dir: string;
  /** URL of the receiver. */
  readonly to: string;
  /** Regular expressions, tested against the absolute path with forward slashes. Matching paths are not reported. */
  readonly exclude: readonly string[];
  /** Where undelivered events are stored; by default a file in the data directory, one per folder and receiver. */
  readonly queueFile?: string;
  /** How long a pattern may take for one path. */
  readonly patternDeadlineMs: number;
  /**
   * Nothing below it is reported. The receiver's own files change with each event that it stores, which would never
   * end.
   */
  readonly ownFolder?: string;
  /**
   * Changes made while no watch ran are reported before anything new (`on`, the default), are not reported (`anew`), or
   * are not reported by this run nor the next (`off`).
   */
  readonly catchUp?: "on" | "anew" | "off";
  /** Shared by the watches of one process, whose threads are few; by default the watch has its own. */
  readonly askFolder?: AskFolder;
  /** Called with each change that the receiver has accepted. */
  readonly onSent?: (event: { readonly df: string; readonly ev: FileChange }) => void;
  /** Called with the kinds of all changes that are queued. */
  readonly onChanges?: (kinds: readonly FileChange[]) => void;
  /** Called with errors while watching; they are logged in any case. */
  readonly onError?: (error: Error) => void;
  /** Called once an earlier error, named by its message, is over. */
  readonly onMended?: (error: Error) => void;
  /** Called if the watch ends: by an error, or because its path leads to another folder, which cannot be watched. */
  readonly onEnd?: (reason: Error) => void;
}

export interface Watch {
  /** How many events the receiver has not accepted yet. */
  readonly waiting: () => number;
  readonly stop: () => Promise<void>;
}
