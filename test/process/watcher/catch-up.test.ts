/** What changes while no watcher runs: the next one reports it first. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { whileUnreadable } from "../../support/process/unreadable.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";

/** What came, once each: an event whose receipt the end of a run cut off comes again by its id. */
function linesOnce({ dir, receiver }: Awaited<ReturnType<typeof watchedAtTimes>>): string[] {
  const byId = receiver.received.map(({ id, ev, df }) => [id, `${ev} ${relative(dir, df)}`] as const);
  return [...new Map(byId).values()];
}

describe("the next run reports", () => {
  it.each([
    ["nothing of what the first run finds, nor when nothing has changed", "true", []],
    [
      "a new file once, a changed one and one that is gone",
      "echo 1 > n; echo 22 > a; rm b",
      ["create n", "delete b", "modify a"],
    ],
    [
      "a rewrite of the same size, and a file that took another's place",
      "echo 9 > a; cp -p c t; mv t c",
      ["modify a", "modify c"],
    ],
    ["a move as delete and create", "mv a z", ["create z", "delete a"]],
    [
      "a folder that came and one that is gone, entry by entry",
      "mkdir -p n/m; echo 1 > n/m/x; rm -r d",
      ["create n", "create n/m", "create n/m/x", "delete d", "delete d/e", "delete d/e/f"],
    ],
    [
      "a file in the place of a folder, and the other way round",
      "rm -r d; echo 1 > d; rm a; mkdir a",
      ["create a", "create d", "delete a", "delete d", "delete d/e", "delete d/e/f"],
    ],
    [
      "a folder that took another's place as a new one, and what is in it as it differs",
      "mv d t; mkdir d; mv t/e t/f; mkdir d/e; cp -p t/f/f d/e; touch d/e/g; rm -r t",
      ["create d", "create d/e", "create d/e/g", "modify d/e/f"],
    ],
    [
      "nothing of a folder whose entries alone are others",
      "rm -r d/e; echo 1 > d/x",
      ["create d/x", "delete d/e", "delete d/e/f"],
    ],
    ["nothing of attributes alone", "chmod 600 a; chmod 700 d", []],
  ])("%s", async (_what, change, expected) => {
    await using folder = await watchedAtTimes("for f in a b c; do echo 1 > $f; done; mkdir -p d/e; echo 1 > d/e/f");
    expect(await folder.run()).toEqual([]);
    folder.sh(change);
    expect((await folder.run()).toSorted()).toEqual(expected);
    expect(await folder.run()).toEqual([]);
  });
});

it("leaves out what the patterns exclude now or excluded then, and reports the rest", async () => {
  await using folder = await watchedAtTimes("mkdir old now; touch old/a now/a kept");
  expect(await folder.run({ exclude: ["/old$"] })).toEqual([]);
  folder.sh("touch old/b now/b; rm now/a kept");
  expect(await folder.run({ exclude: ["/now$"] })).toEqual(["delete kept"]);
  folder.sh("rm -r old now");
  expect((await folder.run({ exclude: ["/now$"] })).toSorted()).toEqual(["delete old", "delete old/a", "delete old/b"]);
});

it("treats unreadable files as unchanged until they can be read", async () => {
  await using folder = await watchedAtTimes("mkdir -p d/e; touch d/a d/e/b");
  expect(await folder.run()).toEqual([]);
  await whileUnreadable(join(folder.dir, "d"), async () => expect(await folder.run()).toEqual([]));
  folder.sh("rm d/a");
  expect(await folder.run()).toEqual(["delete d/a"]);
});

it("starts over, and says so, in a folder that was replaced, as after an unmount", async () => {
  await using folder = await watchedAtTimes("touch a b");
  expect(await folder.run()).toEqual([]);
  folder.sh('mv "$PWD" $OUTSIDE/; mkdir "$PWD"; touch "$PWD/c"');
  expect(await folder.run()).toEqual([]);
  expect(folder.log()).toContain("the last run watched another folder");
  folder.sh('cd "$PWD"; rm c');
  expect(await folder.run()).toEqual(["delete c"]);
});

it("starts over, and says so, when its records are damaged; readable undelivered events are delivered", async () => {
  await using folder = await watchedAtTimes("touch a b");
  expect(await folder.run()).toEqual([]);
  const lines = readFileSync(folder.queueFile, "utf8").split("\n");
  lines.splice(1, 1, lines[1]?.replace('"directory"', '"?"') ?? "");
  writeFileSync(folder.queueFile, lines.join("\n"));
  appendFileSync(folder.queueFile, `${JSON.stringify({ events: [{ id: "1", df: "/undelivered", ev: "create" }] })}\n`);
  folder.sh("rm a");
  expect(await folder.run()).toEqual([`create ${relative(folder.dir, "/undelivered")}`]);
  expect(folder.log()).toContain("the queue is damaged");
  folder.sh("rm b");
  expect(await folder.run()).toEqual(["delete b"]);
});
it("starts over after a run that kept no records", async () => {
  await using folder = await watchedAtTimes("touch a b c d");
  await folder.run();
  folder.sh("rm a");
  expect(await folder.run({ catchUp: "off" })).toEqual([]);
  expect(readFileSync(folder.queueFile, "utf8")).not.toContain('"b"');
  folder.sh("rm b");
  expect(await folder.run()).toEqual([]);
  folder.sh("rm c");
  expect(await folder.run({ catchUp: "anew" })).toEqual([]);
  folder.sh("rm d");
  expect(await folder.run()).toEqual(["delete d"]);
});

it("is told nothing of what happened before the stop, which reports that itself", async () => {
  await using folder = await watchedAtTimes("touch a");
  const watch = await folder.start();
  folder.sh("mv a b");
  await watch.stop();
  await folder.run();
  expect(linesOnce(folder)).toEqual(["move a", "move b", "create new", "delete new"]);
});

it("reports what happened while the last events were taken, though it was undone before the next run", async () => {
  let isMoved = false;
  await using folder = await watchedAtTimes("", () => {
    if (!isMoved) renameSync(join(folder.dir, "a"), join(folder.dir, "b"));
    isMoved = true;
    return 202;
  });
  const watch = await folder.start();
  folder.sh("mkdir a");
  await watch.stop();
  folder.sh("mv b a");
  await folder.run();
  const [made, moved, undone] = [["create a"], ["move a", "move b"], ["delete b", "create a"]];
  expect(linesOnce(folder)).toEqual([...made, ...moved, ...undone, "create new", "delete new"]);
});

const main = join(import.meta.dirname, "../../../server/watcher/main.ts");

/** Runs the watcher until something has happened, then kills it. */
async function watchUntil(args: string[], hasHappened: () => Promise<unknown>): Promise<void> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  try {
    await expect.poll(() => log).toMatch(/\bwatching\b/);
    await hasHappened();
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

it("reports each change once, whenever the watcher is killed, missed changes before new ones; none with --no-catch-up", async () => {
  await using folder = await watchedAtTimes("mkdir made; for i in 1 2 3 4 5; do echo 1 > was$i; done");
  const args = [folder.dir, "--to", folder.receiver.url, "--data-dir", join(folder.base, "data")];
  const lines = () => linesOnce(folder);
  const creates = () => lines().filter((line) => line.startsWith("create made/"));
  let count = 0;
  const make = (files: number) => {
    for (const until = count + files; count < until; count++)
      writeFileSync(join(folder.dir, "made", String(count)), "");
  };
  for (const reported of [1, 60]) {
    const before = count;
    await watchUntil(args, () => {
      make(100);
      return expect.poll(() => creates().length).toBeGreaterThanOrEqual(before + reported);
    });
    make(20);
  }
  folder.sh("rm was1; echo 22 > was2; mv was3 became");
  await watchUntil(args, () => {
    folder.sh("echo 1 > live");
    return expect.poll(lines).toContain("modify live");
  });
  const all = Array.from({ length: count }, (_, at) => `create made/${String(at)}`);
  expect(creates().toSorted()).toEqual(all.toSorted());
  const missed = ["create became", "delete was1", "modify was2", "delete was3"];
  const others = lines().filter((line) => !line.includes("made"));
  expect(others.slice(0, 4).toSorted()).toEqual(missed.toSorted());
  expect(others.slice(4)).toEqual(["create live", "modify live"]);

  folder.sh("rm was4");
  await watchUntil([...args, "--no-catch-up"], () => Promise.resolve());
  folder.sh("rm was5");
  await watchUntil(args, () => {
    folder.sh("rm live");
    return expect.poll(() => lines().at(-1)).toBe("delete live");
  });
  expect(lines().filter((line) => line.includes("was4") || line.includes("was5"))).toEqual([]);
});
