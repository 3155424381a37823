import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { addressWithoutSecrets, hideCredentials } from "../contract/process/hide-credentials.ts";
import { wayWithin } from "../file-system/compare-paths.ts";
import { lockFileSoon } from "../process/file-lock.ts";
import { defaultDataDir, SettingsError } from "../process/settings/read-settings.ts";
import type { Change } from "./detection/map-event.ts";
import { createDataDirectories } from "./excluded/data-directories.ts";
import { createExclusion, type Exclusion } from "./excluded/exclude-patterns.ts";
import { createOwnFiles } from "./excluded/own-files.ts";
import type { AskFolder } from "./folder/ask-folder.ts";
import {
  watchFolder,
  type FolderChanges,
  type FolderChangesOptions,
  type LastPicture,
} from "./folder/folder-changes.ts";
import { resolveFolder } from "./folder/watched-path.ts";
import { openEventJournal, type EventJournal } from "./journal/event-journal.ts";
import { createEventSender, type EventSender } from "./journal/event-sender.ts";
import type { QueuedEvent, Snapshot } from "./journal/journal-file.ts";
import { pictureLines, pictureOf } from "./journal/last-picture.ts";
import { lockOf, makeFolderOf, queueFileIn } from "./journal/queue-file.ts";
import type { Watch, WatchOptions } from "./watch-options.ts";

/** Time to deliver queued events when the watch stops; the next run delivers the rest. */
const stopGraceMs = 1_000;

export interface StartedWatch extends Watch {
  readonly folder: FolderChanges;
  /** Resolves if the watch fails by an error that nothing expects. Nothing is reported any more then. */
  readonly failed: Promise<Error>;
}

/**
 * Watches the folder to which the path leads now.
 * @param before the folder to which the path led before, if it is another one
 */
export async function startWatch(
  options: WatchOptions,
  log: Logger,
  askFolder: AskFolder,
  before?: LastPicture,
): Promise<StartedWatch> {
  const dir = resolve(options.dir);
  await askFolder(dir);
  const root = resolveFolder(dir);
  if (options.ownFolder !== undefined && wayWithin(options.ownFolder, root) !== undefined)
    throw new SettingsError(`${dir}: contains Hearth's own files, which change constantly; choose another folder`);
  const to = parseReceiver(options.to);
  const queueFile = resolve(options.queueFile ?? queueFileIn(defaultDataDir(), dir, options.to));
  const onError = (error: Error) => {
    log.error(error.message);
    options.onError?.(error);
  };
  const exclusion = exclusionOf(options, root, queueFile, onError, log);
  if ([dir, join(dir, randomUUID())].every((path) => exclusion.has(path)))
    log.warn({ dir }, "exclude patterns match the watched folder and everything in it: nothing will be reported");
  makeFolderOf(queueFile, options.ownFolder);
  const queue = await openQueue(queueFile, dir, to, log, options.onSent);
  const { promise: failed, resolve: onFailed } = Promise.withResolvers<Error>();
  try {
    const callbacks = { onError, onMended: options.onMended, onFailed };
    const folder = await reportChanges({ options, dir, root, exclusion, before, queue, log, callbacks });
    log.info({ dir, to: addressWithoutSecrets(to) }, "watching");
    return { folder, failed, waiting: () => queue.journal.size, stop: () => stopWatch(folder, queue, dir, askFolder) };
  } catch (error) {
    await queue.close(0);
    throw error;
  }
}

interface Queue {
  readonly journal: EventJournal;
  readonly snapshot: Snapshot | undefined;
  readonly sender: EventSender;
  /** Ends the delivery, after at most `graceMs`, and lets another process have the queue. */
  close(graceMs: number): Promise<void>;
}

/** Opens the queue for this process alone, and delivers events that an earlier run left. */
async function openQueue(
  queueFile: string,
  dir: string,
  to: URL,
  log: Logger,
  onSent: WatchOptions["onSent"],
): Promise<Queue> {
  const lock = await lockFileSoon(lockOf(queueFile));
  if (lock === "held")
    throw new SettingsError(
      `${dir} is already watched for ${addressWithoutSecrets(to)} by another process, which locks ${lockOf(queueFile)}; stop it`,
    );
  const release = () => {
    if (lock !== "none") lock.release();
  };
  let opened: ReturnType<typeof openJournal>;
  try {
    opened = openJournal(queueFile, log);
  } catch (error) {
    release(); // the next try must not meet it
    throw error;
  }
  const { journal, snapshot } = opened;
  const sender = createEventSender({ to, journal, log, onSent });
  if (journal.size > 0) log.info({ events: journal.size }, "delivering events of an earlier run");
  sender.wake();
  return {
    journal,
    snapshot,
    sender,
    async close(graceMs) {
      await sender.stop(graceMs);
      journal.close();
      release();
    },
  };
}

const openJournal = (queueFile: string, log: Logger) =>
  openEventJournal(queueFile, {
    onWriteError: (error) =>
      log.error(
        { error: error.message, queueFile },
        "the queue cannot be written: events and the folder's state for the next run are in memory only",
      ),
    onDamage: () =>
      log.error(
        { queueFile },
        "the queue is damaged: readable events are delivered; changes since the last run are not reported",
      ),
  });

interface Reporting {
  readonly options: WatchOptions;
  readonly dir: string;
  readonly root: string;
  readonly exclusion: Exclusion;
  readonly before: LastPicture | undefined;
  readonly queue: Queue;
  readonly log: Logger;
  readonly callbacks: Pick<FolderChangesOptions, "onError" | "onMended" | "onFailed">;
}

/** Queues the changes since the last run, and every change from now on. */
async function reportChanges(reporting: Reporting): Promise<FolderChanges> {
  const { options, dir, root, exclusion, before, log, callbacks } = reporting;
  const { journal, snapshot, sender } = reporting.queue;
  const { catchUp = "on" } = options;
  const lastPicture = before ?? (catchUp === "on" && snapshot ? pictureOf(snapshot, options) : undefined);
  if (snapshot && !lastPicture) journal.keepTree(undefined);
  let caughtUp = 0;
  const folder = await watchFolder({
    dir,
    root,
    exclusion,
    lastPicture,
    report(changes, notes) {
      journal.append(toEvents(changes), notes);
      if (changes.length === 0) return;
      sender.wake();
      options.onChanges?.(changes.map(({ ev }) => ev));
      caughtUp += changes.length;
    },
    onOtherFolder() {
      journal.keepTree(undefined);
      log.warn({ dir }, "the last run watched another folder: changes since then are not reported");
    },
    onUnwatched: (folders) => log.warn({ dir, folders }, "folders are not watched: the system allows no more watches"),
    ...callbacks,
  });
  if (lastPicture && caughtUp > 0)
    log.info(
      { events: caughtUp },
      before ? "reported the differences of the new folder" : "reported the changes since the last run",
    );
  if (catchUp !== "off") journal.keepTree(pictureLines(folder, options, log));
  return folder;
}

/** Both halves of a move carry the id of the first. */
function toEvents(changes: readonly Change[]): QueuedEvent[] {
  const ids = changes.map(() => randomUUID());
  return changes.map(({ path, ev, isArrival }, at) => {
    const move = isArrival ? ids[at - 1] : changes[at + 1]?.isArrival && ids[at];
    return { id: ids[at] ?? "", df: path, ev, ...(move !== undefined && { move }) };
  });
}

async function stopWatch(folder: FolderChanges, queue: Queue, dir: string, askFolder: AskFolder): Promise<void> {
  // Where the file system does not answer, the next run reports what has happened until now.
  const settle = () =>
    askFolder(dir).then(
      () => folder.settle(),
      () => undefined,
    );
  await settle();
  // Before the watch ends: a change that the receiver may have seen and that was undone later must be reported, too.
  await queue.sender.stop(stopGraceMs);
  await settle();
  folder.stop();
  await queue.close(0);
}

function parseReceiver(to: string): URL {
  const url = URL.parse(to);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  const address = hideCredentials(to).replace(/[?#][^]+/, "…");
  throw new SettingsError(`--to: "${address}" is not an http:// or https:// URL`);
}

/** Excludes paths by pattern, and Hearth's own files: those of this process, and those of others. */
function exclusionOf(
  { dir, exclude, ownFolder, patternDeadlineMs }: WatchOptions,
  root: string,
  queueFile: string,
  report: (error: Error) => void,
  log: Logger,
): Exclusion {
  const byPattern = createExclusion(exclude, {
    deadlineMs: patternDeadlineMs,
    onGivenUp: (pattern) =>
      report(
        new Error(
          `the exclude pattern "${pattern}" takes too long on some paths and is ignored: avoid a repetition inside a repetition`,
        ),
      ),
  });
  const isOwn = createOwnFiles({
    dir: resolve(dir),
    root,
    own: [queueFile, `${queueFile}.new`, lockOf(queueFile), ...(ownFolder === undefined ? [] : [ownFolder])],
  });
  const others = createDataDirectories((folder) =>
    log.info({ folder }, "it contains Hearth's own files, which change constantly: nothing in it is reported"),
  );
  return {
    has: (path) => isOwn(path) || byPattern.has(path) || others.has(path),
    hasEach(paths) {
      const isOther = others.hasEach(paths);
      return byPattern.hasEach(paths).map((isExcluded, at) => isExcluded || isOther[at] || isOwn(paths[at] ?? ""));
    },
  };
}
