/** A folder that a watcher watches now and then, for tests of what happens meanwhile. */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect } from "vitest";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import type { WatchOptions } from "../../../server/watcher/watch-options.ts";
import { fileEventReceiver } from "./file-event-receiver.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Commands see `$OUTSIDE`, a folder beside it. */
export async function watchedAtTimes(prepare = "", answer?: Parameters<typeof fileEventReceiver>[0]) {
  const temporary = temporaryFolder();
  const base = realpathSync(temporary.path);
  const [dir, outside, queueFile] = [join(base, "watched"), join(base, "outside"), join(base, "queue.jsonl")];
  mkdirSync(dir);
  mkdirSync(outside);
  const receiver = await fileEventReceiver(answer);
  let log = "";
  const logger = pino({}, { write: (line: string) => (log += line) });
  const sh = (commands: string) =>
    execFileSync("/bin/sh", ["-ec", commands], { cwd: dir, env: { ...process.env, OUTSIDE: outside } });
  sh(prepare);
  return {
    base,
    dir,
    queueFile,
    receiver,
    sh,
    log: () => log,
    start: (options: Partial<WatchOptions> = {}) =>
      runWatch({ dir, to: receiver.url, exclude: [], patternDeadlineMs: 250, queueFile, ...options }, logger),
    /** What one run reports, once it reports something new, too. */
    async run(options: Partial<WatchOptions> = {}): Promise<string[]> {
      const seen = receiver.received.length;
      const watch = await this.start(options);
      writeFileSync(join(dir, "new"), "");
      const lines = () => receiver.lines(dir).slice(seen);
      await expect.poll(lines).toContain("create new");
      rmSync(join(dir, "new"));
      await expect.poll(lines).toContain("delete new");
      await watch.stop();
      return lines().slice(0, lines().indexOf("create new"));
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      temporary[Symbol.dispose]();
    },
  };
}
