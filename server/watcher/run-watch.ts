/** Watches a folder and posts every change to a receiver (spec: File-change receiver; Events 2). */
import { resolve } from "node:path";
import type { Logger } from "pino";
import { whereTo } from "./folder/watched-path.ts";
import { pictureElsewhere } from "./journal/last-picture.ts";
import { startWatch, type StartedWatch } from "./start-watch.ts";
import type { Watch, WatchOptions } from "./watch-options.ts";

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
  let watch: StartedWatch | undefined;
  let moving: Promise<void> | undefined;
  function follow(started: StartedWatch): void {
    watch = started;
    void started.failed.then((error) => {
      if (moving || watch !== started) return;
      log.error({ err: error, dir }, "the watch ends by an error in Hearth");
      watch = undefined;
      moving = started.stop().then(() => end(error), end);
    });
  }
  function end(reason: Error): void {
    watch = undefined;
    clearInterval(looking);
    options.onEnd?.(reason);
  }
  async function move(from: StartedWatch): Promise<void> {
    log.info({ dir }, "the path leads elsewhere now: the watch starts there");
    try {
      await from.stop();
      follow(await startWatch(options, log, pictureElsewhere(from.folder)));
    } catch (error) {
      end(error as Error);
    }
  }
  follow(await startWatch(options, log));
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
      const ending = watch;
      watch = undefined;
      await ending?.stop();
    },
  };
}
