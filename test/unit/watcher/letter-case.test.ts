import { beforeEach, describe, expect, it } from "vitest";
import { subtree } from "../../../server/watcher/detection/snapshot-tree.ts";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

/** A disk that finds an entry by its name in any case, and lists it as it was named last. */
describe("the change detector, of a disk that ignores letter case,", () => {
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk(true, "/watched", { ignoresCase: true });
    d.put("note.txt", 5);
    d.mkdir("dir");
    d.put("dir/inner", 1);
    d.hint({ path: "note.txt", changed: true }, "dir", { path: "dir/inner", changed: true });
    d.detector.start.end();
    d.reports();
  });
  const kept = () => [...subtree("/", d.kept()!)].map(([path]) => path);

  it.each([
    ["together", [["note.txt", "Note.txt"]]],
    ["one after the other", [["note.txt"], ["Note.txt"]]],
  ])("reports a file's rename once, and keeps its new name, where both names come %s", (_how, batches) => {
    d.mv("note.txt", "Note.txt");
    for (const batch of batches) d.hint(...batch);
    d.wait(1_000);
    d.hint("note.txt", "Note.txt", { path: "note.txt", renames: 0, changed: true });
    expect(d.reports()).toEqual(["move note.txt", "move Note.txt"]);
    expect(kept().toSorted()).toEqual(["/", "/Note.txt", "/dir", "/dir/inner"]);
  });

  it("reports a folder's rename once, and knows what is in it by its new name", () => {
    d.mv("dir", "DIR");
    d.hint("dir", "DIR", { path: "dir/inner", renames: 0, changed: true });
    d.wait(1_000);
    expect(d.reports()).toEqual(["move dir", "move DIR"]);
    d.change("DIR/inner", { size: 9, modified: start + 80_000, changed: start + 80_000 });
    d.hint({ path: "dir/inner", renames: 0, changed: true }, { path: "DIR/inner", renames: 0, changed: true });
    expect(d.reports()).toEqual(["modify DIR/inner"]);
    expect(kept().toSorted()).toEqual(["/", "/DIR", "/DIR/inner", "/note.txt"]);
  });

  it("reports a rename that only a look through the folder shows, which lists another name than the known one", () => {
    d.mv("note.txt", "NOTE.TXT");
    d.hint({ path: "note.txt", renames: 0, found: true, missing: true });
    d.hint({ path: "NOTE.TXT", renames: 0, found: true });
    d.wait(1_000);
    expect(d.reports()).toEqual(["move note.txt", "move NOTE.TXT"]);
  });

  it("reports nothing of a name that the entry had for a moment only", () => {
    d.hint({ path: "note.txt", renames: 2 }, { path: "Note.txt", renames: 2 });
    d.wait(1_000);
    expect(d.reports()).toEqual([]);
  });

  it("reports a write under the entry's own name, whatever name it was written by", () => {
    d.change("note.txt", { size: 9, modified: start + 80_000, changed: start + 80_000 });
    d.hint({ path: "NOTE.txt", renames: 0, changed: true });
    expect(d.reports()).toEqual(["modify note.txt"]);
  });

  it("reports a rename over an entry whose name stays as it was", () => {
    d.put("t");
    d.hint("t");
    d.mv("t", "note.txt");
    d.hint("t", "Note.txt");
    d.wait(1_000);
    expect(d.reports()).toEqual(["create t", "move t", "move note.txt"]);
  });

  it("reports a new entry in the place of a deleted one that had its name in another case", () => {
    d.rm("note.txt");
    d.put("Note.txt");
    d.hint("note.txt", "Note.txt");
    d.wait(1_000);
    expect(d.reports()).toEqual(["create Note.txt", "delete note.txt"]);
  });
});

it("the change detector reports a second name of a file in another case where letter case counts", () => {
  const d = memoryDisk();
  d.put("note.txt", 5, start);
  d.change("note.txt", { links: 2 });
  d.learn("note.txt");
  d.detector.start.end();
  d.put("Note.txt", 5, start);
  d.change("Note.txt", { inode: 2, links: 2 });
  d.hint({ path: "note.txt", renames: 1 }, "Note.txt");
  d.wait(1_000);
  expect(d.reports()).toEqual(["create Note.txt"]);
});

it("the next run reports a rename by letter case while no watcher ran as a deletion and a creation, and then nothing", () => {
  const d = memoryDisk();
  d.put("note.txt", 5);
  d.hint("note.txt");
  const runs = [d.kept(), undefined].map((before, run) => {
    const next = memoryDisk(true, "/watched", { ignoresCase: true, before: before ?? undefined });
    next.put("Note.txt", 5);
    next.detector.start.learn("/watched/note.txt", "note.txt", run > 0);
    next.detector.start.learn("/watched/Note.txt", "Note.txt");
    next.detector.start.end();
    return next.reports();
  });
  expect(runs).toEqual([["delete note.txt", "create Note.txt"], []]);
});
