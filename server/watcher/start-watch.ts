import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { addressWithoutSecrets, hideCredentials } from "../contract/process/hide-credentials.ts";
import { wayWithin } from "../file-system/compare-paths.ts";
import { lockFileSoon } from "../process/file-lock.ts";
import { defaultDataDir, SettingsError } from "../process/settings/read-settings.ts";
import { createDataDirectories } from "./excluded/data-directories.ts";
import { createExclusion, type Exclusion } from "./excluded/exclude-patterns.ts";
import { createOwnFiles } from "./excluded/own-files.ts";
import type { AskFolder } from "./folder/ask-folder.ts";
import { watchFolder, type FolderChanges, type LastPicture } from "./folder/folder-changes.ts";
import { resolveFolder } from "./folder/watched-path.ts";
import { openEventJournal } from "./journal/event-journal.ts";
import { createEventSender } from "./journal/event-sender.ts";
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
 * @param before what the path led to before, if that is another folder
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
    throw new SettingsError(
      `${dir}: is where Hearth keeps its own files, which change all the time; name another folder`,
    );
  const to = parseReceiver(options.to);
  const receiver = addressWithoutSecrets(to);
  const queueFile = resolve(options.queueFile ?? queueFileIn(defaultDataDir(), dir, options.to));
  const notify = (error: Error) => {
    log.error(error.message);
    options.onError?.(error);
  };
  const exclusion = exclusionOf(options, root, queueFile, notify, log);
  if ([dir, join(dir, randomUUID())].every((path) => exclusion.has(path)))
    log.warn({ dir }, "exclude patterns match the watched folder and what is in it: nothing will be reported");

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
  const release = () => {
    journal.close();
    if (lock !== "none") lock.release();
  };
  if (journal.size > 0) log.info({ events: journal.size }, "delivering what an earlier run left");
  sender.wake();
  const { catchUp = "on" } = options;
  const lastPicture = before ?? (catchUp === "on" && snapshot ? pictureOf(snapshot, options) : undefined);
  if (snapshot && !lastPicture) journal.keepTree(undefined);
  let caughtUp = 0;
  const { promise: failed, resolve: onFailed } = Promise.withResolvers<Error>();
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
      onFailed,
    });
    if (lastPicture && caughtUp > 0)
      log.info(
        { events: caughtUp },
        before ? "reported how the folder there differs" : "reported what has changed since the last run",
      );
    if (catchUp !== "off") journal.keepTree(pictureLines(folder, options, log));
    log.info({ dir, to: receiver }, "watching");
    /** Where the file system does not answer, the next run tells what has happened until now. */
    const settle = () =>
      askFolder(dir).then(
        () => folder.settle(),
        () => undefined,
      );
    return {
      folder,
      failed,
      waiting: () => journal.size,
      async stop() {
        await settle();
        // Before the watch ends: what a receiver may have met that changed back later must not go untold.
        await sender.stop(stopGraceMs);
        await settle();
        await folder.stop();
        release();
      },
    };
  } catch (error) {
    await sender.stop(0);
    release();
    throw error;
  }
}

function parseReceiver(to: string): URL {
  const url = URL.parse(to);
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  const shown = hideCredentials(to).replace(/[?#][^]+/, "…");
  throw new SettingsError(`--to: "${shown}" is not an http:// or https:// URL`);
}

/** What the patterns exclude, and Hearth's own files: this one's, and those of others. */
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
          `the exclude pattern "${pattern}" takes too long on some paths and leaves nothing out any more: do without a repetition inside a repetition`,
        ),
      ),
  });
  const isOwn = createOwnFiles({
    dir: resolve(dir),
    root,
    own: [queueFile, `${queueFile}.new`, lockOf(queueFile), ...(ownFolder === undefined ? [] : [ownFolder])],
  });
  const others = createDataDirectories((folder) =>
    log.info({ folder }, "a Hearth keeps its own files there, which change all the time: nothing in it is reported"),
  );
  return {
    has: (path) => isOwn(path) || byPattern.has(path) || others.has(path),
    hasEach(paths) {
      const isOther = others.hasEach(paths);
      return byPattern.hasEach(paths).map((isExcluded, at) => isExcluded || isOther[at] || isOwn(paths[at] ?? ""));
    },
  };
}
