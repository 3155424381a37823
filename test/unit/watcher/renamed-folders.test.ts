import { beforeEach, describe, expect, it } from "vitest";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

/** The system names what is in a renamed folder by the folder's old path until it is watched at its new one. */
describe("the change detector, of a folder that is renamed,", () => {
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk();
    d.mkdir("a", start);
    d.mkdir("a/x", start);
    d.put("a/x/f", 1, start);
    d.learn("a", "a/x", "a/x/f");
    d.detector.start.end();
  });

  it("reports a rename out of it by the path that the first rename led to", () => {
    d.mv("a", "b");
    d.mv("b/x", "c");
    d.hint("a", "b", "a/x", "c");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move a", "move b", "move b/x", "move c"]);
  });

  it("reports renames in renamed folders in it, and what they hold as moved with them", () => {
    d.mv("a", "b");
    d.mv("b/x", "b/y");
    d.mv("b/y/f", "b/y/g");
    d.hint("a", "b", "a/x", "a/y", "a/x/f", "a/x/g");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move a", "move b", "move b/x", "move b/y", "move b/y/f", "move b/y/g"]);
  });

  it("reports what is deleted from it, and what is created in it, by its new path", () => {
    d.mv("a", "b");
    d.rm("b/x/f");
    d.put("b/new");
    d.hint("a", "b", "a/x/f", "a/new");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move a", "move b", "create b/new", "delete b/x/f"]);
  });

  it("reports nothing of an entry that only seems to have left it, though another one takes its old path", () => {
    d.mv("a", "b");
    d.mkdir("a");
    d.mkdir("a/x");
    d.hint({ path: "a", renames: 2 }, "b", "a/x");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move a", "move b", "create a", "create a/x"]);
    d.hint({ path: "b/x", renames: 0 }, { path: "b/x/f", renames: 0 });
    expect(d.reports()).toEqual([]);
  });

  it("reports another entry that takes the name of one that was renamed out of it", () => {
    d.put("a/y", 2, start);
    d.learn("a/y");
    d.mv("a", "b");
    d.mv("b/x", "c");
    d.mv("b/y", "b/x");
    d.hint("a", "b", "a/x", "c", "a/y", "a/x");
    d.wait(1_000);
    expect(d.reports()).toEqual(["move a", "move b", "move b/x", "move c", "move b/y", "move b/x"]);
  });
});

it("the change detector follows a rename in the root of a file system, which is its own folder", () => {
  const d = memoryDisk(true, "/");
  d.mkdir("a", start);
  d.put("a/f", 1, start);
  d.learn("a", "a/f");
  d.detector.start.end();
  d.mv("a", "b");
  d.mv("b/f", "b/g");
  d.hint("a", "b", "a/f", "a/g");
  d.wait(1_000);
  expect(d.reports()).toEqual(["move a", "move b", "move b/f", "move b/g"]);
});
