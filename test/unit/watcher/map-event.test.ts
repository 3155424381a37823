import { describe, expect, it } from "vitest";
import type { FileFacts } from "../../../server/watcher/detection/file-facts.ts";
import { changeOnArrival, changesBetween, changesSinceCreation } from "../../../server/watcher/detection/map-event.ts";

const then = 1_700_000_000_000;
const later = then + 60_000;
const file: FileFacts = {
  kind: "file",
  inode: 7,
  born: then,
  modified: then,
  changed: then,
  accessed: then - 5_000,
  size: 10,
  mode: 0o100644,
  owner: 0,
  group: 0,
  links: 1,
};

describe("changes between two looks at a file, with exact times", () => {
  const cases: [string, Partial<FileFacts>, string[]][] = [
    ["nothing moved: no change", {}, []],
    ["grown: modify", { size: 12, modified: later, changed: later }, ["modify"]],
    ["rewritten at the same size: modify", { modified: later, changed: later }, ["modify"]],
    ["touch -m sets the modification time as a write does: modify", { modified: later, changed: later }, ["modify"]],
    [
      "touch sets all three times to one instant: attrib",
      { modified: later, changed: later, accessed: later },
      ["attrib"],
    ],
    [
      "touch -d sets a time that is not now: attrib",
      { modified: then - 9e9, accessed: then - 9e9, changed: later },
      ["attrib"],
    ],
    ["touch -a: attrib", { accessed: later, changed: later }, ["attrib"]],
    ["chmod: attrib", { mode: 0o100600, changed: later }, ["attrib"]],
    ["chown: attrib", { owner: 1000, changed: later }, ["attrib"]],
    ["only the change time moved (extended attributes): attrib", { changed: later }, ["attrib"]],
    [
      "written and then given an old time (cp -p): modify, attrib",
      { size: 11, modified: then - 9e9, changed: later },
      ["modify", "attrib"],
    ],
    [
      "written and chmod within one clock tick: modify, attrib",
      { size: 11, modified: later, changed: later, mode: 0o100755 },
      ["modify", "attrib"],
    ],
    ["only read: no change", { accessed: later }, []],
  ];
  it.each(cases)("%s", (_title, moved, expected) => {
    expect(changesBetween(file, { ...file, ...moved }, true)).toEqual(expected);
  });
});

it("takes any moved modification time for a write where times are not exact", () => {
  const touched = { ...file, modified: later, changed: later + 3, accessed: later };
  expect(changesBetween(file, touched, false)).toEqual(["modify"]);
  expect(changesBetween(file, { ...file, changed: later }, false)).toEqual(["attrib"]);
});

describe("what followed a creation", () => {
  it("is modify when the new file already has content", () => {
    expect(changesSinceCreation(file, true)).toEqual(["modify"]);
  });
  it("is modify and attrib when its time was set back (cp -p, tar)", () => {
    expect(changesSinceCreation({ ...file, modified: then - 9e9 }, true)).toEqual(["modify", "attrib"]);
  });
  it("is nothing for an empty file, a folder or another name of an old file", () => {
    expect(changesSinceCreation({ ...file, size: 0 }, true)).toEqual([]);
    expect(changesSinceCreation({ ...file, kind: "directory", size: 4096 }, true)).toEqual([]);
    expect(changesSinceCreation({ ...file, links: 2 }, true)).toEqual([]);
  });
});

describe("a file that appears", () => {
  it("was created when it is as young as its appearance", () => {
    expect(changeOnArrival(file, { folderBorn: 0, seenUntil: then - 500 })).toBe("create");
  });
  it("was created when only the coarse clock of the file system makes it look older", () => {
    expect(changeOnArrival(file, { folderBorn: then + 4, seenUntil: then + 4 })).toBe("create");
  });
  it("was moved in when it existed before the last moment at which it was not here", () => {
    expect(changeOnArrival(file, { folderBorn: 0, seenUntil: later })).toBe("move");
  });
  it("was moved in when it is older than the folder that holds it", () => {
    expect(changeOnArrival(file, { folderBorn: later, seenUntil: undefined })).toBe("move");
  });
  it("was created when it is a further hard link of an old file", () => {
    expect(changeOnArrival({ ...file, links: 2 }, { folderBorn: 0, seenUntil: later })).toBe("create");
  });
  it("was created when the file system keeps no birth time", () => {
    expect(changeOnArrival({ ...file, born: 0 }, { folderBorn: later, seenUntil: later })).toBe("create");
  });
});
