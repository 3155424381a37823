import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ChangeDetector } from "../../../server/watcher/detection/change-detector.ts";
import { readFacts } from "../../../server/watcher/detection/file-facts.ts";
import { HintCollector } from "../../../server/watcher/folder/hint-collector.ts";
import { namesIn } from "../../../server/watcher/folder/unreadable-places.ts";
import { whileUnreadable } from "../../support/process/unreadable.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function collected(root: string, isIgnored: (path: string) => boolean = () => false) {
  const reported: string[] = [];
  const unreadable: string[] = [];
  const begun = Date.now();
  const detector = new ChangeDetector({
    root,
    readFacts,
    namesIn,
    report: ({ path, ev }) => reported.push(`${ev} ${path.slice(root.length + 1)}`),
    note: () => undefined,
    onFolder: () => undefined,
    onGone: () => undefined,
    onMoved: (from, to) => collector.movedFolder(from, to),
    now: () => 0,
    date: () => begun,
    exact: true,
  });
  const failures: string[] = [];
  const collector = new HintCollector({
    root,
    detector,
    watch: () => undefined,
    hasLeft: () => false,
    ignored: isIgnored,
    ignoredEach: (paths) => paths.map(isIgnored),
    seenUntil: () => begun,
    onWorked: () => undefined,
    onUnreadable: (path) => unreadable.push(path.slice(root.length + 1)),
    onReadable: (path) => unreadable.push(`-${path.slice(root.length + 1)}`),
    onFailed: ({ message }) => failures.push(message),
  });
  return { reported, unreadable, failures, detector, collector };
}

it("reports the renames of more files than one batch checks as moves when only their folder's scan shows them", async () => {
  using temporary = temporaryFolder();
  const at = (name: string) => join(temporary.path, "folder", name);
  const names = Array.from({ length: 2_500 }, (_, i) => `${i}`);
  mkdirSync(join(temporary.path, "folder"));
  for (const name of names) writeFileSync(at(name), "");
  const { reported, detector, collector } = collected(temporary.path);
  collector.scan(temporary.path);
  await collector.idle();
  collector.scan(join(temporary.path, "folder"));
  await collector.idle();
  detector.start.end();
  for (const name of names) renameSync(at(name), at(`r${name}`));
  collector.scan(join(temporary.path, "folder"));
  await collector.idle();
  collector.settle();
  collector.finish();
  expect(reported.toSorted()).toEqual(
    names.flatMap((name) => [`move folder/${name}`, `move folder/r${name}`]).toSorted(),
  );
});

it("looks at nothing in an ignored folder, such as that above the watched one", async () => {
  using temporary = temporaryFolder();
  const watched = join(temporary.path, "watched");
  mkdirSync(watched);
  writeFileSync(join(temporary.path, "beside"), "");
  const { detector, collector } = collected(watched, (path) => !path.startsWith(watched));
  const process = vi.spyOn(detector, "process");
  collector.scan(temporary.path);
  await collector.idle();
  collector.finish();
  expect(process.mock.calls.flat(2)).toEqual([]);
});

it("tells the detector which known names a look through a folder does not list", async () => {
  using temporary = temporaryFolder();
  const at = (name: string) => join(temporary.path, name);
  for (const name of ["a", "stays"]) writeFileSync(at(name), "");
  const { detector, collector } = collected(temporary.path);
  collector.scan(temporary.path);
  await collector.idle();
  detector.start.end();
  renameSync(at("a"), at("b"));
  const process = vi.spyOn(detector, "process");
  collector.scan(temporary.path);
  await collector.idle();
  collector.finish();
  const hints = process.mock.calls.flatMap(([some]) => some);
  expect(hints.filter(({ missing }) => missing).map(({ path }) => path)).toEqual([at("a")]);
});

it.each([
  ["a file that changes", false],
  ["an ignored file", true],
])("looks at every folder after so many hints of %s that others may have been dropped", async (_what, isIgnored) => {
  using temporary = temporaryFolder();
  const at = (...names: string[]) => join(temporary.path, ...names);
  for (const folder of ["busy", "dropped"]) mkdirSync(at(folder));
  writeFileSync(at("busy", "log"), "");
  const scene = collected(temporary.path, (path) => isIgnored && path === at("busy", "log"));
  const { reported, detector, collector } = scene;
  for (const folder of [at(), at("busy"), at("dropped")]) {
    collector.scan(folder);
    await collector.idle();
  }
  detector.start.end();
  writeFileSync(at("dropped", "new"), "");
  for (let hints = 0; hints < 2_000; hints++) collector.hint(at("busy", "log"), "change");
  await expect.poll(() => reported).toContain("create dropped/new");
  collector.finish();
});

it("keeps what cannot be read, and looks at it again once it can be", async () => {
  using temporary = temporaryFolder();
  const at = (...names: string[]) => join(temporary.path, ...names);
  mkdirSync(at("locked", "deep"), { recursive: true });
  for (const name of ["changes", "stays", "goes"]) writeFileSync(at("locked", name), "");
  writeFileSync(at("locked", "deep", "inner"), "");
  const { reported, unreadable, detector, collector } = collected(temporary.path);
  for (const folder of [at(), at("locked"), at("locked", "deep")]) {
    collector.scan(folder);
    await collector.idle();
  }
  detector.start.end();
  await whileUnreadable(at("locked"), async () => {
    collector.scanAll();
    collector.hint(at("locked", "goes"), "rename");
    collector.hint(at("locked", "locked"), "change");
    await collector.idle();
    expect(unreadable).toEqual(["locked"]);
    writeFileSync(at("locked", "new"), "");
    writeFileSync(at("locked", "changes"), "1");
    unlinkSync(at("locked", "goes"));
    writeFileSync(at("locked", "deep", "inner"), "1");
    collector.readAgain();
    await collector.idle();
    expect(reported).toEqual([]);
  });
  collector.readAgain();
  await collector.idle();
  collector.settle();
  collector.finish();
  expect(reported.toSorted()).toEqual([
    "create locked/new",
    "delete locked/goes",
    "modify locked/changes",
    "modify locked/deep/inner",
  ]);
  expect(unreadable).toEqual(["locked", "-locked"]);
});

it("takes up a renamed file that is found gone before its new name is told, and reports the move", async () => {
  using temporary = temporaryFolder();
  const at = (name: string) => join(temporary.path, name);
  writeFileSync(at("a"), "");
  const { reported, detector, collector } = collected(temporary.path);
  collector.scan(temporary.path);
  await collector.idle();
  detector.start.end();
  renameSync(at("a"), at("b"));
  collector.hint(at("a"), "found");
  expect(collector.takeUp()).toBeGreaterThan(0);
  collector.hint(at("b"), "rename");
  expect(collector.takeUp()).toBeUndefined();
  collector.finish();
  expect(reported).toEqual(["move a", "move b"]);
});

it.each(["at the start", "later"])(
  "looks at nothing behind a link that took the place of a folder %s",
  async (when) => {
    using temporary = temporaryFolder();
    using elsewhere = temporaryFolder();
    const at = (...names: string[]) => join(temporary.path, ...names);
    mkdirSync(at("folder"));
    writeFileSync(join(elsewhere.path, "inner"), "");
    const { reported, failures, detector, collector } = collected(temporary.path);
    collector.scan(temporary.path);
    await collector.idle();
    if (when === "later") detector.start.end();
    renameSync(at("folder"), join(elsewhere.path, "away"));
    symlinkSync(elsewhere.path, at("folder"));
    for (const name of ["folder", "folder", "folder/inner"]) collector.hint(at(name), "rename");
    collector.scan(at("folder"));
    await collector.idle();
    collector.hint(at("folder", "inner"), "rename");
    collector.settle();
    expect(failures).toEqual([]);
    expect(reported).toEqual(["delete folder", "create folder"]);
  },
);
