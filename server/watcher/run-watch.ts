/** Watches a folder and posts every change to a receiver (spec: File-change receiver; Events 2). */
import { resolve } from "node:path";
import type { Logger } from "pino";
import { createAskFolder } from "./folder/ask-folder.ts";
import { whereTo } from "./folder/watched-path.ts";
import { pictureElsewhere } from "./journal/last-picture.ts";
import { startWatch, type StartedWatch } from "./start-watch.ts";
import type { Watch, WatchOptions } from "./watch-options.ts";

/**
 * Interval of the check whether another folder is in the place of the watched one (our choice). No notification arrives when
 * a folder above it is replaced or a symbolic link is changed, and on some systems none for the watched folder itself.
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
  const { askFolder = createAskFolder() } = options;
  let watch: StartedWatch | undefined;
  let moving: Promise<void> | undefined;
  let isAsking = false;
  let isSilent = false;
  function follow(started: StartedWatch): void {
    watch = started;
    void started.failed.then((error) => {
      if (moving || watch !== started) return;
      log.error({ err: error, dir }, "the watch stopped because of an error in Hearth");
      watch = undefined;
      moving = untilMoved(started.stop().then(() => end(error), end));
    });
  }
  const untilMoved = (move: Promise<void>) => move.finally(() => (moving = undefined));
  function end(reason: Error): void {
    watch = undefined;
    clearInterval(looking);
    options.onEnd?.(reason);
  }
  async function move(from: StartedWatch): Promise<void> {
    log.info({ dir }, "the path now points to another folder; the watch continues there");
    try {
      await from.stop();
      follow(await startWatch(options, log, askFolder, pictureElsewhere(from.folder)));
    } catch (error) {
      end(error as Error);
    }
  }
  async function answers(): Promise<boolean> {
    isAsking = true;
    const problem = await askFolder(dir).then(
      () => undefined,
      (error: Error) => error.message,
    );
    isAsking = false;
    if (problem !== undefined && !isSilent) log.error(problem);
    if (problem === undefined && isSilent) log.info({ dir }, "the file system answers again");
    isSilent = problem !== undefined;
    return !isSilent;
  }
  async function look(): Promise<void> {
    if (!(await answers()) || moving) return;
    // While the path leads nowhere, the watch waits for a folder there.
    if (watch?.folder.look() && whereTo(dir) !== undefined) moving = untilMoved(move(watch));
  }
  follow(await startWatch(options, log, askFolder));
  const looking = setInterval(() => {
    if (!isAsking) void look();
  }, lookEveryMs).unref();
  return {
    waiting: () => watch?.waiting() ?? 0,
    async stop() {
      clearInterval(looking);
      while (moving) await moving;
      const ending = watch;
      watch = undefined;
      await ending?.stop();
    },
  };
}
