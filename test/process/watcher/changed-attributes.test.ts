/** A folder whose own attributes change while something changes in it: chokidar sets its watch anew. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { watchedFolder } from "../../support/process/watched-folder.ts";

const rounds = 60;
const numbers = Array.from({ length: rounds }, (_, index) => String(index + 1));

/** Runs beside the watcher, not in its turn: notifications are read between two commands. */
async function beside(dir: string, commands: string): Promise<void> {
  const shell = spawn("/bin/sh", ["-ec", `for i in $(seq ${String(rounds)}); do ${commands}; done`], { cwd: dir });
  expect(await once(shell, "exit")).toEqual([0, null]);
}

it.each([
  [
    "a file made in a new folder with a mode of its own",
    "true",
    "mkdir -p p$i; install -d -m 700 p$i/d; cp old p$i/d/",
    "create p$i/d/old",
  ],
  ["a file made in a folder after chmod", "mkdir d$i", "chmod 700 d$i; cp old d$i/new", "create d$i/new"],
  [
    "a write in a folder after chmod",
    "mkdir d$i; echo 1 > d$i/file",
    "chmod 700 d$i; echo 22 > d$i/file",
    "modify d$i/file",
  ],
  ["a delete in a folder after touch", "mkdir d$i; echo 1 > d$i/file", "touch d$i; rm d$i/file", "delete d$i/file"],
  [
    "a rename in a folder after chmod",
    "mkdir d$i; echo 1 > d$i/file",
    "chmod 700 d$i; mv d$i/file d$i/next",
    "move d$i/next",
  ],
])("%s is reported each time", async (_what, prepared, commands, expected) => {
  const prepare = `echo 1 > old; for i in $(seq ${String(rounds)}); do ${prepared}; done`;
  await using folder = await watchedFolder({ prepare });
  await beside(folder.dir, commands);
  const all = numbers.map((number) => expected.replaceAll("$i", number));
  await expect.poll(() => all.filter((line) => !folder.lines().includes(line))).toEqual([]);
});
