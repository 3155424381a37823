/** Changes that a watcher on inotify may lose or misread. The commands run beside the watcher, not in its turn. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { watchedFolder } from "../../support/process/watched-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const rounds = 60;
const numbers = Array.from({ length: rounds }, (_, index) => String(index + 1));

/** Each round pauses a little longer, up to 12 ms, so that its commands meet the watcher in another state. */
const eachRound = (commands: string) =>
  `for i in $(seq ${String(rounds)}); do pause=0.0$(printf %02d $((i % 13))); ${commands}; done`;

type Folder = Awaited<ReturnType<typeof watchedFolder>>;

async function runBeside(folder: Folder, commands: string): Promise<void> {
  const env = { ...process.env, OUTSIDE: folder.outside };
  const shell = spawn("/bin/sh", ["-ec", eachRound(commands)], { cwd: folder.dir, env });
  expect(await once(shell, "exit")).toEqual([0, null]);
}

const prepare = "echo 1 > $OUTSIDE/old; for i in $(seq 60); do mkdir -p p$i/d; echo 1 > p$i/d/file; done";

describe("after a change of a folder's own attributes, each of 60 times, the watcher reports", () => {
  it.each([
    ["a copy into it", "install -d -m 700 p$i/d; cp $OUTSIDE/old p$i/d/new", "create p$i/d/new"],
    ["a copy into a new folder", "install -d -m 700 p$i/n; cp $OUTSIDE/old p$i/n/new", "create p$i/n/new"],
    ["a new file", "chmod 700 p$i/d; sleep $pause; : > p$i/d/new", "create p$i/d/new"],
    ["a write", "chmod 700 p$i/d; sleep $pause; echo 22 > p$i/d/file", "modify p$i/d/file"],
    ["a deletion", "touch p$i/d; sleep $pause; rm p$i/d/file", "delete p$i/d/file"],
    ["a rename", "chmod 700 p$i/d; sleep $pause; mv p$i/d/file p$i/d/next", "move p$i/d/next"],
    ["a save by rename", "chmod 700 p$i/d; sleep $pause; mv $(mktemp -p $OUTSIDE) p$i/d/file", "move p$i/d/file"],
  ])("%s", async (_what, commands, expected) => {
    await using folder = await watchedFolder({ prepare });
    await runBeside(folder, commands);
    const all = numbers.map((number) => expected.replaceAll("$i", number));
    await expect.poll(() => all.filter((line) => !folder.lines().includes(line))).toEqual([]);
  });
});

describe("of a file whose size and time are what they were, each of 60 times, the watcher reports", () => {
  const made = "touch -d 2020-01-01 p$i/d/file";
  const same = `${prepare.replace("; done", `; ${made}; done`)}; echo 2 > $OUTSIDE/same; touch -d 2020-01-01 $OUTSIDE/same`;
  it.each([
    ["a write with the time set again", "echo 2 > p$i/d/file; touch -d 2020-01-01 p$i/d/file"],
    ["a copy with its time over it", "cp -p $OUTSIDE/same p$i/d/file"],
  ])("%s as modify", async (_what, commands) => {
    await using folder = await watchedFolder({ prepare: same });
    await runBeside(folder, commands);
    const all = numbers.map((number) => `modify p${number}/d/file`);
    await expect.poll(() => all.filter((line) => !folder.lines().includes(line))).toEqual([]);
  });
});

describe("of a rename there and back, each of 60 times, the watcher reports moves or nothing", () => {
  it.each([
    ["a file", "mv p$i/d/file p$i/d/other; mv p$i/d/other p$i/d/file"],
    ["a folder", "mv p$i/d p$i/e; mv p$i/e p$i/d"],
  ])("of %s", async (_what, commands) => {
    await using folder = await watchedFolder({ prepare });
    // As one batch, too.
    folder.sh(eachRound(commands));
    await runBeside(folder, commands);
    await folder.after("echo 1 > last", "modify last");
    expect(folder.lines().filter((line) => !/^move |last$/.test(line))).toEqual([]);
  });
});

const limited = (watches: number, ...command: string[]) => [
  "-rm",
  "sh",
  "-c",
  `echo ${String(watches)} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"`,
  ...command,
];
const hasLimits = spawnSync("unshare", limited(50, "true")).status === 0;

describe.skipIf(!hasLimits)("where the system allows fewer watches than there are folders, the watcher", () => {
  const main = join(import.meta.dirname, "../../../server/watcher/main.ts");
  const text =
    /the system's limit of 50 inotify watches is reached, and \d+ folders need one each\. Raise it with "sudo sysctl user\.max_inotify_watches=524288"/g;

  async function start(folders: number) {
    const temporary = temporaryFolder();
    const dir = join(temporary.path, "watched");
    const makeFolders = (name: string, count: number) => {
      for (let at = 0; at < count; at++) mkdirSync(join(dir, `${name}${String(at)}`), { recursive: true });
    };
    makeFolders("old", folders);
    const to = ["--to", "http://127.0.0.1:1/", "--data-dir", join(temporary.path, "data")];
    const child = spawn("unshare", limited(50, process.execPath, main, dir, ...to));
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (log += part));
    return {
      makeFolders,
      ended: once(child, "close"),
      log: () => log,
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await this.ended;
        temporary[Symbol.dispose]();
      },
    };
  }

  it("does not start, and says the limit, how many watches it needs and the setting to raise", async () => {
    await using watch = await start(100);
    expect(await watch.ended).toEqual([1, null]);
    expect(watch.log()).toMatch(text);
    expect(watch.log()).toContain("and 101 folders need one each");
    expect(watch.log()).not.toContain("disk");
  });

  it("says so once when folders are made while it runs", async () => {
    await using watch = await start(10);
    await expect.poll(watch.log).toMatch(/\bwatching\b/);
    watch.makeFolders("new", 100);
    await expect.poll(watch.log).toMatch(text);
    watch.makeFolders("more", 100);
    await setTimeout(5_000);
    expect(watch.log().match(text)).toHaveLength(1);
  });
});
