/** What the watcher may not read for a while. */
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { watchFolder, type FolderChanges } from "../../../server/watcher/folder/folder-changes.ts";
import { whileUnreadable, whileUnwatchable } from "../../support/process/unreadable.ts";
import { untilOld, watchedFolder } from "../../support/process/watched-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("what cannot be read counts as unchanged, and is told once it can be read again", async () => {
  await using folder = await watchedFolder({ prepare: "mkdir locked; touch locked/changes locked/goes locked/stays" });
  await whileUnreadable(join(folder.dir, "locked"), async () => {
    const meanwhile = "echo 1 > locked/changes; rm locked/goes; echo 1 > locked/new; chmod 600 locked/stays";
    const lines = await folder.after(`${meanwhile}; echo 1 > open`, "modify open");
    expect(lines).toEqual(["create open", "modify open"]);
  });
  const told = () =>
    folder
      .lines()
      .filter((line) => line.includes("locked"))
      .toSorted();
  await expect
    .poll(told)
    .toEqual([
      "attrib locked/stays",
      "create locked/new",
      "delete locked/goes",
      "modify locked/changes",
      "modify locked/new",
    ]);
  expect(await folder.after("echo 2 >> locked/stays", "modify locked/stays")).toEqual(["modify locked/stays"]);
});

it("a folder that cannot be read when it appears is watched once it can be", async () => {
  await using folder = await watchedFolder();
  await whileUnreadable(join(folder.dir, "new"), async () => {
    await folder.after("mkdir -p new/deep; echo 1 > new/one", "create new");
    await folder.after("echo 1 > open", "modify open");
  });
  await expect.poll(folder.lines).toContain("modify new/one");
  await expect.poll(folder.lines).toContain("create new/deep");
  expect(await folder.after("echo 2 > new/two", "modify new/two")).toEqual(["create new/two", "modify new/two"]);
  const inside = await folder.after("echo 2 > new/deep/two", "modify new/deep/two");
  expect(inside).toEqual(["create new/deep/two", "modify new/deep/two"]);
  expect(await folder.after("rm -r new; mkdir new; echo 3 > open", "modify open")).toContain("create new");
  expect(await folder.after("echo 4 > new/four", "modify new/four")).toEqual(["create new/four", "modify new/four"]);
});

it("a folder that cannot be read is followed when a folder above it is renamed", async () => {
  await using folder = await watchedFolder({ prepare: "mkdir -p a/locked; touch a/locked/stays" });
  await whileUnreadable(join(folder.dir, "a", "locked"), async () => {
    await folder.after("echo 1 > a/locked/early; echo 1 > open", "modify open");
    await whileUnreadable(join(folder.dir, "b", "locked"), async () => {
      await folder.after("mv a b; echo 2 > open", "modify open");
      await folder.after("echo 3 > b/locked/late; echo 3 > open", "modify open");
    });
  });
  for (const found of ["late", "early"]) await expect.poll(folder.lines).toContain(`modify b/locked/${found}`);
  expect(await folder.after("echo 2 > b/locked/stays", "modify b/locked/stays")).toEqual(["modify b/locked/stays"]);
  expect(folder.lines().filter((line) => /^(delete|move) .*locked/.test(line))).toEqual([]);
});

it.runIf(process.platform === "linux")(
  "the watched folder may be deleted where the folder above it cannot be watched",
  async () => {
    await using folder = await watchedFolder({ prepare: "touch old" });
    await whileUnwatchable(dirname(folder.dir), async () => {
      await folder.after('rm -r "$PWD"', "delete old");
    });
    mkdirSync(folder.dir);
    folder.sh("echo 1 > new");
    await expect.poll(folder.lines).toContainEqual(expect.stringMatching(/ new$/));
  },
);

it("a folder that the start cannot read is watched once it can be, and what it held is not told", async () => {
  using temporary = temporaryFolder();
  const dir = join(realpathSync(temporary.path), "watched");
  const locked = join(dir, "locked");
  mkdirSync(join(locked, "deep"), { recursive: true });
  for (const old of [join(locked, "old"), join(locked, "deep", "old")]) {
    writeFileSync(old, "");
    await untilOld(old);
  }
  const told: string[] = [];
  const errors: string[] = [];
  const scene = { onError: ({ message }: Error) => void errors.push(message), mended: 0 };
  let folder: FolderChanges | undefined;
  await whileUnreadable(locked, async () => {
    folder = await watchFolder({
      dir,
      root: dir,
      exclusion: { has: () => false, hasEach: (paths) => paths.map(() => false) },
      lastPicture: undefined,
      report: (changes) => told.push(...changes.map(({ path, ev }) => `${ev} ${relative(dir, path)}`)),
      onOtherFolder: () => undefined,
      onUnwatched: () => undefined,
      onError: scene.onError,
      onMended: () => void scene.mended++,
      onFailed: scene.onError,
    });
  });
  folder?.look();
  await expect.poll(() => scene.mended).toBe(1);
  writeFileSync(join(locked, "new"), "");
  await expect.poll(() => told).toContain("create locked/new");
  // The folders in it are watched a little later.
  await expect
    .poll(() => {
      appendFileSync(join(locked, "deep", "old"), "1");
      return told;
    })
    .toContain("modify locked/deep/old");
  folder?.stop();
  expect(errors).toHaveLength(1);
  expect(told.filter((line) => /^(move|create)/.test(line))).toEqual(["create locked/new"]);
});
