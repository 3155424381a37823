import { beforeEach, describe, expect, it } from "vitest";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

describe("the change detector", () => {
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk();
    d.put("old.txt", 5, start);
    d.mkdir("folder", start);
    d.put("folder/a", 1, start);
    d.put("folder/b", 1, start);
    d.learn("old.txt", "folder", "folder/a", "folder/b");
    d.detector.start.end();
  });

  it("reports nothing that was there at the start, however often it is hinted at", () => {
    d.hint("old.txt", "folder", { path: "folder/a", changed: true });
    expect(d.reports()).toEqual([]);
  });

  it("reports create and modify for a new file with content, whether the write was seen with it or after", () => {
    d.put("one", 3);
    d.hint({ path: "one", changed: true });
    expect(d.reports()).toEqual(["create one", "modify one"]);
    d.put("two", 3);
    d.hint("two");
    expect(d.reports()).toEqual(["create two"]);
    d.hint({ path: "two", renames: 0, changed: true });
    d.hint({ path: "two", renames: 0, changed: true });
    expect(d.reports()).toEqual(["modify two"]);
  });

  it("reports one modify for the write of a new file that a look through its folder shows before its notification", () => {
    const found = { renames: 0, changed: false };
    d.put("late");
    d.hint("late");
    expect(d.reports()).toEqual(["create late"]);
    d.change("late", { size: 3, modified: start + 60_001, changed: start + 60_001 });
    d.hint({ path: "late", ...found });
    expect(d.reports()).toEqual(["modify late"]);
    d.hint({ path: "late", renames: 0, changed: true });
    expect(d.reports()).toEqual([]);
  });

  it("reports the write of a new file whose notification was lost, when its folder is looked through", () => {
    d.put("lost", 3);
    d.hint("lost");
    expect(d.reports()).toEqual(["create lost"]);
    for (const changed of [false, false, true]) d.hint({ path: "lost", renames: 0, changed });
    expect(d.reports()).toEqual(["modify lost"]);
  });

  it("reports modify and attrib when a new file was written, then given other rights, before it was looked at again", () => {
    d.put("script", 3);
    d.hint("script");
    d.change("script", { mode: 0o755, changed: start + 60_001 });
    d.hint({ path: "script", renames: 0, changed: true });
    expect(d.reports()).toEqual(["create script", "modify script", "attrib script"]);
  });

  it("reports create and attrib for a touched new file", () => {
    d.put("empty");
    d.hint({ path: "empty", changed: true });
    expect(d.reports()).toEqual(["create empty", "attrib empty"]);
  });

  it("reports modify, too, for set times that more notifications than one tell of: a write before may have kept the size", () => {
    const set = { modified: start - 9e6, changed: start + 60_000 };
    const told = { renames: 0, changed: true };
    d.change("old.txt", set);
    d.hint({ path: "old.txt", ...told, changedAgain: true });
    expect(d.reports()).toEqual(["modify old.txt", "attrib old.txt"]);
    d.change("folder/a", set);
    d.hint({ path: "folder/a", ...told });
    expect(d.reports()).toEqual(["attrib folder/a"]);
    for (const again of [1, 2]) d.hint({ path: "folder/a", ...told, seenUntil: again });
    expect(d.reports()).toEqual(["modify folder/a"]);
  });

  it("reports a rename as move of the old path, then of the new one", () => {
    d.mv("old.txt", "new.txt");
    d.hint("old.txt", "new.txt");
    expect(d.reports()).toEqual(["move old.txt", "move new.txt"]);
    d.wait(1_000);
    expect(d.reports()).toEqual([]);
  });

  it("joins the two names of a rename when the second is seen a moment later", () => {
    d.mv("old.txt", "new.txt");
    d.hint("old.txt");
    d.wait(9);
    d.hint("new.txt");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move old.txt", "move new.txt"]);
  });

  it("reports delete when no second name turns up", () => {
    d.rm("old.txt");
    d.hint("old.txt");
    expect(d.reports()).toEqual([]);
    d.wait(10);
    expect(d.reports()).toEqual(["delete old.txt"]);
  });

  it("does not take a new file with a recycled inode for the deleted one", () => {
    d.rm("old.txt");
    d.put("fresh");
    d.change("fresh", { inode: 2 });
    d.hint("old.txt", "fresh");
    d.wait(10);
    expect(d.reports()).toEqual(["create fresh", "delete old.txt"]);
  });

  it("reports one folder's rename, not its contents, and knows the contents under the new path", () => {
    d.mv("folder", "moved");
    d.hint("folder", "moved", { path: "moved/a", renames: 0 }, { path: "moved/b", renames: 0 });
    expect(d.reports()).toEqual(["move folder", "move moved"]);
    d.change("moved/a", { size: 9, modified: start + 80_000, changed: start + 80_000 });
    d.hint({ path: "moved/a", renames: 0, changed: true });
    expect(d.reports()).toEqual(["modify moved/a"]);
    d.rm("moved/b");
    d.hint("moved/b");
    d.wait(10);
    expect(d.reports()).toEqual(["delete moved/b"]);
  });

  it("reports each entry of a removed folder that was named, innermost first", () => {
    for (const name of ["folder/a", "folder/b", "folder"]) d.rm(name);
    d.hint("folder/a", "folder/b", "folder");
    d.wait(10);
    expect(d.reports()).toEqual(["delete folder/a", "delete folder/b", "delete folder"]);
  });

  it("reports only the folder when it was moved out of the tree with its contents", () => {
    for (const name of ["folder/a", "folder/b", "folder"]) d.rm(name);
    d.hint("folder");
    d.wait(10);
    expect(d.reports()).toEqual(["delete folder"]);
  });

  it("reports each entry of a removed folder once when a look finds that gone before its entries are named", () => {
    for (const name of ["folder/a", "folder/b", "folder"]) d.rm(name);
    // Its own notification may have come together with the look.
    d.hint({ path: "folder", found: true });
    d.hint("folder/a", "folder/b");
    d.wait(10);
    expect(d.reports()).toEqual(["delete folder/a", "delete folder/b", "delete folder"]);
  });

  it("reports move for an old file and an old folder that are moved in, and nothing for the folder's contents", () => {
    d.put("came.txt", 7, start - 9e6);
    d.mkdir("came", start - 9e6);
    d.change("came", { changed: start + 60_000 });
    d.put("came/inner", 7, start - 9e6);
    d.hint("came.txt", "came", { path: "came/inner", renames: 0 });
    expect(d.reports()).toEqual(["move came.txt", "move came"]);
  });

  it.each([
    ["before its notification", false],
    ["with its notification", true],
  ])("reports modify for a file in a moved folder that is written before it is looked at, and %s", (_when, changed) => {
    d.mkdir("came", start - 9e6);
    d.change("came", { changed: start + 60_000 });
    d.put("came/inner", 7, start - 9e6);
    d.change("came/inner", { modified: start + 60_005, changed: start + 60_005 });
    d.put("came/new", 7, start + 60_006);
    d.hint("came", { path: "came/inner", renames: 0, changed }, { path: "came/new", renames: 0 });
    expect(d.reports()).toEqual(["move came", "modify came/inner", "create came/new", "modify came/new"]);
    d.hint({ path: "came/inner", renames: 0, changed: true });
    expect(d.reports()).toEqual([]);
  });

  it("reports what a new folder turns out to hold, though nothing named it", () => {
    d.mkdir("new");
    d.mkdir("new/deep");
    d.put("new/deep/file", 4);
    d.hint("new", { path: "new/deep", renames: 0 }, { path: "new/deep/file", renames: 0 });
    expect(d.reports()).toEqual(["create new", "create new/deep", "create new/deep/file", "modify new/deep/file"]);
  });

  it("waits longer for the second name while a new folder, not yet watched, may hold it", () => {
    d.mkdir("new");
    d.mv("old.txt", "new/old.txt");
    d.hint("new", "old.txt");
    d.wait(60);
    d.hint({ path: "new/old.txt", renames: 0 });
    d.wait(1_000);
    expect(d.reports()).toEqual(["create new", "move old.txt", "move new/old.txt"]);
  });

  it("reports an editor's save by rename as move of the temporary file, then of the saved one", () => {
    d.put(".old.tmp", 8);
    d.hint({ path: ".old.tmp", changed: true });
    d.mv(".old.tmp", "old.txt");
    d.hint(".old.tmp", "old.txt");
    d.wait(1_000);
    expect(d.reports()).toEqual(["create .old.tmp", "modify .old.tmp", "move .old.tmp", "move old.txt"]);
  });

  it("reports move for a file that was replaced in one step from outside, delete and create for one made anew", () => {
    d.rm("old.txt");
    d.put("old.txt", 8);
    d.hint("old.txt");
    expect(d.reports()).toEqual(["move old.txt"]);
    d.rm("old.txt");
    d.put("old.txt", 9);
    d.hint({ path: "old.txt", renames: 2, changed: true });
    d.wait(1_000);
    expect(d.reports()).toEqual(["delete old.txt", "create old.txt", "modify old.txt"]);
  });

  it("reports a backup save: the old file moves away, then a new one is created in its place", () => {
    d.mv("old.txt", "old.txt~");
    d.put("old.txt", 9);
    d.hint({ path: "old.txt", renames: 2, changed: true }, "old.txt~");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move old.txt", "move old.txt~", "create old.txt", "modify old.txt"]);
  });

  it("follows two files that swap their names", () => {
    d.mv("folder/a", "t");
    d.mv("folder/b", "folder/a");
    d.mv("t", "folder/b");
    d.hint({ path: "folder/a", renames: 2 }, { path: "t", renames: 2 }, { path: "folder/b", renames: 2 });
    d.wait(1_000);
    expect(d.reports().toSorted()).toEqual(["move folder/a", "move folder/a", "move folder/b", "move folder/b"]);
  });

  it("puts the write before the move when the file was written under its old name", () => {
    d.change("old.txt", { size: 50, modified: start + 65_000 });
    d.mv("old.txt", "new.txt");
    d.hint({ path: "old.txt", changed: true }, "new.txt");
    expect(d.reports()).toEqual(["modify old.txt", "move old.txt", "move new.txt"]);
  });

  it.each([
    ["modify", { size: 50, modified: start + 75_000, changed: start + 75_000, accessed: start }],
    ["attrib", { mode: 0o600, changed: start + 75_000 }],
  ])(
    "reports %s under the new path when it came after the folder's rename, whose old path it is named by",
    (ev, to) => {
      d.mv("folder", "moved");
      d.change("moved/a", to);
      d.hint("folder", "moved", { path: "folder/a", renames: 0, changed: true });
      d.wait(1_000);
      expect(d.reports()).toEqual(["move folder", "move moved", `${ev} moved/a`]);
    },
  );

  it("reports attrib for a folder whose mode changed", () => {
    d.change("folder", { mode: 0o700, changed: start + 60_000 });
    d.hint("folder");
    expect(d.reports()).toEqual(["attrib folder"]);
  });

  it("reports at the end what had still been waiting for a second name", () => {
    d.rm("old.txt");
    d.hint("old.txt");
    d.detector.settleDepartures(true);
    expect(d.reports()).toEqual(["delete old.txt"]);
  });
});

it("reports the contents of a vanished folder too where the platform names only the folder", () => {
  const d = memoryDisk(false);
  d.mkdir("folder", start);
  d.put("folder/a", 1, start);
  d.learn("folder", "folder/a");
  d.detector.start.end();
  d.rm("folder/a");
  d.rm("folder");
  d.hint("folder");
  d.wait(10);
  expect(d.reports()).toEqual(["delete folder/a", "delete folder"]);
});
