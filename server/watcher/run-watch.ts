/** Watches a folder and posts every change to a receiver (spec: File-change receiver; Events 2). */
import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { FileChange } from "../contract/app/file-events.ts";
import { hideCredentials } from "../contract/process/hide-credentials.ts";
import { lockFileSoon } from "../process/file-lock.ts";
import { wayWithin } from "../file-system/compare-paths.ts";
import { defaultDataDir, SettingsError } from "../process/settings/read-settings.ts";
import { makeWritable, unwritable } from "../process/writable-folder.ts";
import { openEventJournal } from "./event-journal.ts";
import { createEventSender } from "./event-sender.ts";
import { createExclusion, type Exclusion } from "./exclude-patterns.ts";
import { watchFolder, type FolderChanges, type LastPicture } from "./folder-changes.ts";
import { snapshotLines, type Snapshot } from "./journal-file.ts";
import { createOwnFiles } from "./own-files.ts";
import { createTreeReader } from "./tree-notes.ts";
import { resolveFolder, whereTo } from "./watched-path.ts";

export interface WatchOptions {
  /** The folder to watch, with everything below it. */
  readonly dir: string;
  /** URL of the receiver. */
  readonly to: string;
  /** Regular expressions, tested against the absolute path with forward slashes. What matches is not reported. */
  readonly exclude: readonly string[];
  /** Where undelivered events are stored; by default a file in the data directory, one per folder and receiver. */
  readonly queueFile?: string;
  /** How long a pattern may take for one path; see the setting foreign_deadline_ms. */
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
  /** Called with the kinds of all changes that are queued. */
  readonly onChanges?: (kinds: readonly FileChange[]) => void;
  /** Called with errors while watching; they are logged in any case. */
  readonly onError?: (error: Error) => void;
  /** Called with an error of before, by its message, that is none any more. */
  readonly onMended?: (error: Error) => void;
  /** Called if the watch has ended: its path leads to another folder, which cannot be watched for this reason. */
  readonly onEnd?: (reason: Error) => void;
}

export interface Watch {
  /** How many events the receiver has not accepted yet. */
  readonly waiting: () => number;
  readonly stop: () => Promise<void>;
}

/** Time to deliver queued events when the watch stops; the next run delivers the rest. */
const stopGraceMs = 1_000;

/** The queue file of one folder and receiver in a data directory. */
export function queueFileIn(dataDir: string, dir: string, to: string): string {
  const name = createHash("sha256")
    .update(`${resolve(dir)}\0${to}`)
    .digest("hex")
    .slice(0, 16);
  return join(dataDir, "watch", `${name}.jsonl`);
}

/** The lock keeps two processes from using one queue. */
const lockOf = (queueFile: string) => `${queueFile}.lock.db`;

/** Removes the queue of a watch that has ended, with its lock. */
export const forgetQueue = async (queueFile: string): Promise<void> => {
  await Promise.all([queueFile, lockOf(queueFile)].map((file) => rm(file, { force: true })));
};

/**
 * How often to look whether another folder is in the place of the watched one (our choice). Nothing tells that a folder
 * above it was replaced or a symbolic link was changed, and some systems do not tell it of the watched folder itself.
 */
const lookEveryMs = 2_000;

/**
 * Resolves once every later change will be reported and all changes since the last run have been. The first run does
 * not report the files that it finds. Where the path leads to another folder later, the watch ends and starts there; that
 * folder differs from the one before by changes, as if they had been made in it.
 * @throws SettingsError naming the folder, URL or pattern at fault; Error when the system cannot watch the folder.
 */
export async function runWatch(options: WatchOptions, log: Logger): Promise<Watch> {
  const dir = resolve(options.dir);
  let watch: StartedWatch | undefined = await startWatch(options, log);
  let moving: Promise<void> | undefined;
  async function move(from: StartedWatch): Promise<void> {
    log.info({ dir }, "the path leads elsewhere now: the watch starts there");
    try {
      await from.stop();
      watch = await startWatch(options, log, pictureElsewhere(from.folder));
    } catch (error) {
      watch = undefined;
      clearInterval(looking);
      options.onEnd?.(error as Error);
    }
  }
  const looking = setInterval(() => {
    // While it leads nowhere, the watch waits for what will be there.
    if (!moving && watch?.folder.look() && whereTo(dir) !== undefined)
      moving = move(watch).finally(() => (moving = undefined));
  }, lookEveryMs).unref();
  return {
    waiting: () => watch?.waiting() ?? 0,
    async stop() {
      clearInterval(looking);
      await moving;
      await watch?.stop();
    },
  };
}

interface StartedWatch extends Watch {
  readonly folder: FolderChanges;
}

function pictureElsewhere(folder: FolderChanges): LastPicture | undefined {
  const reader = createTreeReader();
  reader.read([...folder.picture()]);
  const root = reader.root();
  return root && { root, exclusion: undefined, isElsewhere: true };
}

/** @param before what the path led to before, if that is another folder */
async function startWatch(options: WatchOptions, log: Logger, before?: LastPicture): Promise<StartedWatch> {
  const dir = resolve(options.dir);
  const root = resolveFolder(dir);
  if (options.ownFolder !== undefined && wayWithin(options.ownFolder, root) !== undefined)
    throw new SettingsError(
      `${dir}: is where Hearth keeps its own files, which change all the time; name another folder`,
    );
  const to = parseReceiver(options.to);
  const receiver = hideCredentials(to.href);
  const queueFile = resolve(options.queueFile ?? queueFileIn(defaultDataDir(), dir, options.to));
  const notify = (error: Error) => {
    log.error(error.message);
    options.onError?.(error);
  };
  const exclusion = exclusionOf(options, root, queueFile, notify);
  if (exclusion.has(dir))
    log.warn({ dir }, "an exclude pattern matches the watched folder itself: nothing will be reported");

  makeFolderOf(queueFile, options.ownFolder);
  const lock = await lockFileSoon(lockOf(queueFile));
  if (lock === "held")
    throw new SettingsError(
      `${dir} is already watched for ${receiver} by another process, which has ${lockOf(queueFile)}; stop it`,
    );
  const open = () =>
    openEventJournal(queueFile, {
      onWriteError: (error) =>
        log.error(
          { error: error.message, queueFile },
          "the queue cannot be written: events, and what is known of the folder for the next run, are kept in memory only",
        ),
      onDamage: () =>
        log.error(
          { queueFile },
          "the queue is damaged: what can be read of it is delivered; changes since the last run are not reported",
        ),
    });
  let opened: ReturnType<typeof open>;
  try {
    opened = open();
  } catch (error) {
    if (lock !== "none") lock.release(); // the next try must not meet it
    throw error;
  }
  const { journal, snapshot } = opened;
  const sender = createEventSender({ to, journal, log });
  const release = async (graceMs: number) => {
    await sender.stop(graceMs);
    journal.close();
    if (lock !== "none") lock.release();
  };
  if (journal.size > 0) log.info({ events: journal.size }, "delivering what an earlier run left");
  sender.wake();
  const { catchUp = "on" } = options;
  const lastPicture = before ?? (catchUp === "on" && snapshot ? pictureOf(snapshot, options) : undefined);
  if (snapshot && !lastPicture) journal.keepTree(undefined);
  let caughtUp = 0;
  try {
    const folder = await watchFolder({
      dir,
      root,
      exclusion,
      lastPicture,
      report(changes, notes) {
        journal.append(
          changes.map(({ path, ev }) => ({ id: randomUUID(), df: path, ev })),
          notes,
        );
        if (changes.length === 0) return;
        sender.wake();
        options.onChanges?.(changes.map(({ ev }) => ev));
        caughtUp += changes.length;
      },
      onOtherFolder() {
        journal.keepTree(undefined);
        log.warn({ dir }, "this is another folder than the last run watched: what has changed since is not reported");
      },
      onError: notify,
      onMended: options.onMended,
    });
    if (lastPicture && caughtUp > 0)
      log.info(
        { events: caughtUp },
        before ? "reported how the folder there differs" : "reported what has changed since the last run",
      );
    if (catchUp !== "off") journal.keepTree(pictureLines(folder, options, log));
    log.info({ dir, to: receiver }, "watching");
    return {
      folder,
      waiting: () => journal.size,
      async stop() {
        await folder.stop();
        await release(stopGraceMs);
      },
    };
  } catch (error) {
    await release(0);
    throw error;
  }
}

/** @throws SettingsError naming the data directory when it cannot be written */
function makeFolderOf(queueFile: string, dataDir = dirname(queueFile)): void {
  try {
    // First of all: below a folder that cannot be written, the error that Node gives has another reason.
    makeWritable(dataDir);
    makeWritable(dirname(queueFile));
  } catch (error) {
    throw new SettingsError(unwritable(`data directory ${dataDir}`, error, "--data-dir"));
  }
}

const pictureOf = ({ root, exclude }: Snapshot, options: WatchOptions): LastPicture => ({
  root,
  exclusion: isDeepStrictEqual(exclude, options.exclude)
    ? undefined
    : createExclusion(exclude, { deadlineMs: options.patternDeadlineMs, onGivenUp: () => undefined }),
});

/** The snapshot of a larger folder would take too long to write (our choice). */
const mostFiles = 200_000;

/** The folder's snapshot as journal lines. A folder with too many files gets none, and a warning. */
export function pictureLines(
  folder: Pick<FolderChanges, "picture" | "files">,
  { dir, exclude }: WatchOptions,
  log: Logger,
) {
  let isReported = false;
  return (): Iterable<string> => {
    if (folder.files() <= mostFiles) return snapshotLines(exclude, folder.picture());
    if (!isReported)
      log.warn(
        { dir },
        `it holds more than ${mostFiles} files: what changes while no watcher runs will not be reported; exclude some`,
      );
    isReported = true;
    return [];
  };
}

function parseReceiver(to: string): URL {
  const url = URL.parse(to);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new SettingsError(`--to: "${hideCredentials(to)}" is not an http:// or https:// URL`);
}

/** What the patterns exclude, and Hearth's own files. */
function exclusionOf(
  { dir, exclude, ownFolder, patternDeadlineMs }: WatchOptions,
  root: string,
  queueFile: string,
  report: (error: Error) => void,
): Exclusion {
  const byPattern = createExclusion(exclude, {
    deadlineMs: patternDeadlineMs,
    onGivenUp: (pattern) =>
      report(
        new Error(
          `the exclude pattern "${pattern}" takes too long on some paths and leaves nothing out any more: do without a repetition inside a repetition`,
        ),
      ),
  });
  const isOwn = createOwnFiles({
    dir: resolve(dir),
    root,
    own: [queueFile, `${queueFile}.new`, lockOf(queueFile), ...(ownFolder === undefined ? [] : [ownFolder])],
  });
  return {
    has: (path) => isOwn(path) || byPattern.has(path),
    hasEach: (paths) => byPattern.hasEach(paths).map((isExcluded, at) => isExcluded || isOwn(paths[at] ?? "")),
  };
}
