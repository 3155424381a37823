/** The port to the folder watcher. The watcher reports to a receiver over HTTP, also when it runs in another process. */
import type { FileChange } from "../../contract/app/file-events.ts";

export interface FolderWatchOptions {
  /** Absolute path of the folder. */
  readonly dir: string;
  /** Regular expressions; matching paths are not reported. */
  readonly exclude: readonly string[];
  /** URL of the receiver. */
  readonly to: string;
  /** File in which undelivered events wait, also over restarts. */
  readonly queueFile: string;
  /** A folder whose contents are never reported: the receiver's own files change with every event that it stores. */
  readonly ownFolder: string;
  /**
   * Changes since the last watch are reported first (`on`) or skipped (`anew`); `off` also keeps no record for the next
   * watch.
   */
  readonly catchUp: "on" | "anew" | "off";
  /** Called for every change that will be delivered. */
  readonly onChanges: (kinds: readonly FileChange[]) => void;
  /** Called for errors of a running watch, which goes on. */
  readonly onError: (error: Error) => void;
  /** Called when an error that was reported is over; only the message identifies it. */
  readonly onMended: (error: Error) => void;
  /** Called if the watch has ended: by an error, or because its path now leads to another folder. */
  readonly onEnd: (reason: Error) => void;
}

export interface FolderWatch {
  /** The number of undelivered events. */
  waiting(): number;
  /** Ends the watch. Events that cannot be delivered within a moment stay in the queue. */
  stop(): Promise<void>;
}

export interface FolderWatcher {
  /**
   * Resolves once every further change will be reported.
   * @throws Error with the reason why the folder cannot be watched
   */
  watch(options: FolderWatchOptions): Promise<FolderWatch>;
  /** Resolves once a file system has answered about a path. @throws Error naming the path when it does not answer. */
  readonly ask: (path: string) => Promise<void>;
  /** Removes the queue of a watch that has ended, with all its files. */
  forget(queueFile: string): Promise<void>;
}
