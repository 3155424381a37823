/** The port to what watches folders. It reports to a receiver over HTTP, as a watcher in a process of its own does. */
import type { FileChange } from "../../contract/app/file-events.ts";

export interface FolderWatchOptions {
  /** Absolute path of the folder. */
  readonly dir: string;
  /** Regular expressions: what they match is not reported. */
  readonly exclude: readonly string[];
  /** URL of the receiver. */
  readonly to: string;
  /** Where events wait until the receiver has taken them, over restarts, too. */
  readonly queueFile: string;
  /** A folder whose contents are never reported: the receiver's own files change at each event that it stores. */
  readonly ownFolder: string;
  /**
   * Whether what has changed since the last watch is reported first (`on`), is passed over (`anew`), or is not even kept for
   * the next one (`off`).
   */
  readonly catchUp: "on" | "anew" | "off";
  /** Told of every change that is going to be delivered. */
  readonly onChanges: (kinds: readonly FileChange[]) => void;
  /** Told of what goes wrong once the watch has begun; it goes on. */
  readonly onError: (error: Error) => void;
}

export interface FolderWatch {
  /** How many events are still to be delivered. */
  waiting(): number;
  /** Ends the watch. What is not delivered within a moment stays in the queue. */
  stop(): Promise<void>;
}

export interface FolderWatcher {
  /**
   * Resolves when every change from now on will be reported.
   * @throws Error that says why the folder cannot be watched
   */
  watch(options: FolderWatchOptions): Promise<FolderWatch>;
}
