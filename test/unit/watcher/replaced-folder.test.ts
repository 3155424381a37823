import { beforeEach, describe, expect, it } from "vitest";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

describe("the change detector, of a folder whose place another entry takes,", () => {
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk();
    d.mkdir("folder", start);
    d.put("folder/a", 1, start);
    d.put("folder/b", 1, start);
    d.learn("folder", "folder/a", "folder/b");
    d.detector.start.end();
  });

  it("reports its entries first, innermost first, then the folder, then the new one", () => {
    for (const name of ["folder/a", "folder/b", "folder"]) d.rm(name);
    d.mkdir("folder");
    d.put("folder/a", 2);
    d.hint("folder/a", "folder/b", { path: "folder", renames: 2 });
    d.wait(1_000);
    expect(d.reports()).toEqual([
      "delete folder/a",
      "delete folder/b",
      "delete folder",
      "create folder",
      "create folder/a",
    ]);
  });

  it("reports its entries before a file in its place, those moved away as moved", () => {
    d.mv("folder/a", "kept");
    d.rm("folder/b");
    d.rm("folder");
    d.put("folder", 3);
    d.hint("folder/a", "folder/b", { path: "folder", renames: 2, changed: true }, "kept");
    d.wait(1_000);
    expect(d.reports()).toEqual([
      "move folder/a",
      "move kept",
      "delete folder/b",
      "delete folder",
      "create folder",
      "modify folder",
    ]);
  });

  it("reports as moved what moves from it into the one that is made in its place", () => {
    d.mv("folder/a", "kept");
    d.rm("folder/b");
    d.rm("folder");
    d.mkdir("folder");
    d.mv("kept", "folder/c");
    d.hint("folder/a", "folder/b", { path: "folder", renames: 2 }, { path: "folder/c", renames: 0 });
    d.wait(1_000);
    expect(d.reports()).toEqual([
      "delete folder/b",
      "delete folder",
      "create folder",
      "move folder/a",
      "move folder/c",
    ]);
  });

  it("follows it into the one that is made in its place", () => {
    d.mv("folder", "t");
    d.mkdir("folder");
    d.mv("t", "folder/old");
    d.hint({ path: "folder", renames: 2 }, { path: "folder/old", renames: 0 });
    d.wait(1_000);
    expect(d.reports()).toEqual(["delete folder", "create folder", "move folder/old"]);
  });
});
