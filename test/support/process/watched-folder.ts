/** A watched folder, its receiver and a shell in it, for tests of the watcher. */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { createStepClock } from "../../../server/watcher/folder/step-clock.ts";
import { fileEventReceiver } from "./file-event-receiver.ts";
import { quietLog } from "../quiet-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A file counts as old when a watcher can tell that it was not just created: its clock, which began before, is further. */
export async function untilOld(path: string): Promise<void> {
  const clock = createStepClock();
  await expect.poll(() => clock.seenUntil() - statSync(path).birthtimeMs).toBeGreaterThan(1_000);
  clock.stop();
}

interface WatchedFolderOptions {
  /** Commands that run in the folder before the watch begins. */
  prepare?: string;
  exclude?: string[];
  /** The receiver's status for its n-th request. */
  answer?: (n: number) => number;
}

/** Commands see `$OUTSIDE`, a folder beside the watched one. */
export async function watchedFolder({ prepare = "", exclude = [], answer }: WatchedFolderOptions = {}) {
  const temporary = temporaryFolder();
  const base = realpathSync(temporary.path);
  const dir = join(base, "watched");
  const outside = join(base, "outside");
  const queueFile = join(base, "queue.jsonl");
  mkdirSync(dir);
  mkdirSync(outside);
  const sh = (commands: string) =>
    execFileSync("/bin/sh", ["-ec", commands], { cwd: dir, env: { ...process.env, OUTSIDE: outside } });
  sh(prepare);
  const receiver = await fileEventReceiver(answer);
  const watch = await runWatch({ dir, to: receiver.url, exclude, patternDeadlineMs: 250, queueFile }, quietLog);
  const lines = () => receiver.lines(dir);
  return {
    dir,
    outside,
    receiver,
    sh,
    lines,
    /** Runs commands and returns the lines they led to, once the last of them is `last`. */
    async after(commands: string, last: string): Promise<string[]> {
      const seen = receiver.received.length;
      sh(commands);
      await expect.poll(() => lines().slice(seen), { message: `${commands} leads to ${last}` }).toContain(last);
      return lines().slice(seen);
    },
    async [Symbol.asyncDispose]() {
      await watch.stop();
      await receiver[Symbol.asyncDispose]();
      temporary[Symbol.dispose]();
    },
  };
}
