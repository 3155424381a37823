/** Downloads shared by blob: further users of a running one join it, and it stops when the last has left. */
import type { Digest } from "../library/manifest.ts";
import type { BlobDownload, Retry } from "./blob-download.ts";

export interface SharedDownload extends AsyncDisposable {
  completed(): number;
  /** See BlobDownload. */
  lastRetry(): Retry | undefined;
  /** Settles when every byte is there. */
  readonly fetched: Promise<void>;
  /** Resolves when the blob is verified and at its path. */
  finish(): Promise<void>;
}

export interface SharedDownloads {
  /** Joins or starts the download of the blob. Disposing of the result leaves it. */
  join(digest: Digest, create: () => BlobDownload): SharedDownload;
}

interface Running {
  readonly download: BlobDownload;
  readonly fetched: Promise<void>;
  readonly stop: AbortController;
  finished: Promise<void> | undefined;
  waiters: number;
}

export function createSharedDownloads(): SharedDownloads {
  const running = new Map<Digest, Running>();
  /** Downloads that are stopping: a new one must not write at the same time. */
  const ending = new Map<Digest, Promise<void>>();

  function begin(digest: Digest, download: BlobDownload): Running {
    const stop = new AbortController();
    const before = ending.get(digest) ?? Promise.resolve();
    const fetched = before.then(() => download.fetch(stop.signal));
    // Its users get the failure; there may be none at the moment.
    fetched.catch(() => undefined);
    const entry = { download, fetched, stop, finished: undefined, waiters: 0 };
    running.set(digest, entry);
    return entry;
  }

  async function leave(digest: Digest, entry: Running): Promise<void> {
    entry.waiters--;
    if (entry.waiters > 0) return;
    running.delete(digest);
    entry.stop.abort();
    const end = Promise.allSettled([entry.fetched, entry.finished]).then(() => undefined);
    ending.set(digest, end);
    await end;
    if (ending.get(digest) === end) ending.delete(digest);
  }

  return {
    join(digest, create) {
      const entry = running.get(digest) ?? begin(digest, create());
      entry.waiters++;
      let left = false;
      return {
        completed: () => entry.download.completed(),
        lastRetry: () => entry.download.lastRetry(),
        fetched: entry.fetched,
        async finish() {
          await entry.fetched;
          entry.finished ??= entry.download.finish(entry.stop.signal);
          await entry.finished;
        },
        async [Symbol.asyncDispose]() {
          if (left) return;
          left = true;
          await leave(digest, entry);
        },
      };
    },
  };
}
