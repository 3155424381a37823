import { describe, expect, it } from "vitest";
import { toKnown, type FileFacts } from "../../../server/watcher/detection/file-facts.ts";
import type { Hint } from "../../../server/watcher/detection/hint.ts";
import { changesOfKnown } from "../../../server/watcher/detection/known-entry.ts";
import type { TreeNode } from "../../../server/watcher/detection/snapshot-tree.ts";

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
const folder: FileFacts = { ...file, kind: "directory", mode: 0o40755 };

interface Check {
  readonly before?: FileFacts;
  readonly now: Partial<FileFacts>;
  readonly hint: Partial<Hint>;
  readonly node?: TreeNode;
  readonly hasPassage?: boolean;
  readonly exact?: boolean;
}

function changes({ before = file, now, hint, hasPassage = false, exact = true, ...rest }: Check) {
  const node = rest.node ?? { facts: toKnown(before) };
  const named: Hint = { path: "/f", renames: 0, changed: false, seenUntil: then, ...hint };
  const facts = { ...before, ...now };
  const found = changesOfKnown(named, node, facts, { exact, hasPassage });
  node.facts = toKnown(facts);
  return found;
}

describe("a file whose size and time are what they were", () => {
  it("is modified when two notifications named it at once: a write may be behind the attributes", () => {
    expect(changes({ now: { changed: later }, hint: { changed: true, changedAgain: true } })).toEqual([
      "modify",
      "attrib",
    ]);
  });

  it("is modified when a second notification comes that finds no difference", () => {
    const node = { facts: toKnown(file) };
    const now = { changed: later };
    expect(changes({ now, hint: { changed: true }, node })).toEqual(["attrib"]);
    expect(changes({ now, hint: { changed: true }, node })).toEqual(["modify"]);
  });

  it("has other attributes only when one notification named it", () => {
    expect(changes({ now: { changed: later, mode: 0o100600 }, hint: { changed: true } })).toEqual(["attrib"]);
  });

  it("has no change on other systems, whose notifications are not exact", () => {
    expect(changes({ now: {}, hint: { changed: true, changedAgain: true }, exact: false })).toEqual([]);
  });
});

describe("a file that was renamed there and back", () => {
  it("is moved twice, and its attributes are not changed", () => {
    expect(changes({ now: { changed: later }, hint: { renames: 2 } })).toEqual(["move", "move"]);
  });

  it("is modified when it was written, too", () => {
    const now = { size: 11, modified: then + 1, changed: later };
    expect(changes({ now, hint: { renames: 2 } })).toEqual(["modify"]);
  });

  it("has other attributes when its mode was changed, too", () => {
    expect(changes({ now: { changed: later, mode: 0o100600 }, hint: { renames: 2 } })).toEqual(["attrib"]);
  });
});

describe("a file that got or lost another name", () => {
  it.each([1, 2])("has no change when a scan finds it, now with %d more", (links) => {
    const now = { changed: later, links: 1 + links };
    expect(changes({ now, hint: { found: true } })).toEqual([]);
  });

  it("is modified when it was written, too", () => {
    const now = { changed: later, modified: later, links: 2 };
    expect(changes({ now, hint: { found: true } })).toEqual(["modify"]);
  });
});

describe("a folder's attributes", () => {
  const contents = { modified: later, changed: later };
  it("have not changed when an entry came or went", () => {
    expect(changes({ before: folder, now: contents, hint: { found: true } })).toEqual([]);
  });

  it("have changed when its mode did, though no notification named it", () => {
    expect(changes({ before: folder, now: { mode: 0o40700, changed: later }, hint: {} })).toEqual(["attrib"]);
  });

  it("have changed when a notification named it, though an entry came since", () => {
    expect(changes({ before: folder, now: contents, hint: { renames: 1 } })).toEqual(["attrib"]);
  });

  it("have not changed when that notification is the one of its creation", () => {
    const node: TreeNode = { facts: toKnown(folder), renameOwed: true };
    expect(changes({ before: folder, now: contents, hint: { renames: 1 }, node })).toEqual([]);
  });

  it("have not changed when it was renamed there and back, which is two moves", () => {
    const now = { changed: later };
    expect(changes({ before: folder, now, hint: { renames: 2 }, hasPassage: true })).toEqual(["move", "move"]);
  });
});
