import fs, { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEventJournal, type EventJournal } from "../../../server/watcher/journal/event-journal.ts";
import type { KnownFacts } from "../../../server/watcher/detection/file-facts.ts";
import { snapshotLines, type QueuedEvent } from "../../../server/watcher/journal/journal-file.ts";
import { pictureLines } from "../../../server/watcher/journal/last-picture.ts";
import { subtree } from "../../../server/watcher/detection/snapshot-tree.ts";
import { noteOf } from "../../../server/watcher/journal/tree-notes.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const fail = (error: Error) => {
  throw error;
};
const open = (file: string, onWriteError: (error: Error) => void = fail) =>
  openEventJournal(file, { onWriteError, onDamage: () => fail(new Error("damaged")) }).journal;
const event = (n: number): QueuedEvent => ({ id: `id-${n}`, df: `/watched/文件 ${n}\n"x"`, ev: "modify" });
const rest = (journal: EventJournal) => {
  const events: QueuedEvent[] = [];
  for (let next = journal.first(); next; next = journal.first()) {
    events.push(next);
    journal.removeFirst();
  }
  return events;
};

it("the event journal returns events in the order in which they were added", () => {
  using folder = temporaryFolder();
  const journal = open(join(folder.path, "new", "queue.jsonl"));
  expect(journal.first()).toBeUndefined();
  journal.append([event(1), event(2)]);
  journal.append([event(3)]);
  expect(journal.size).toBe(3);
  expect(rest(journal)).toEqual([event(1), event(2), event(3)]);
  expect(journal.size).toBe(0);
  journal.close();
});

it("the event journal takes as many events at once as a folder of 200,000 files has", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const events = Array.from({ length: 200_000 }, (_, n) => event(n));
  const journal = open(file);
  journal.append(events);
  journal.close();
  const next = open(file);
  expect(rest(next)).toEqual(events);
  next.close();
});

it("the event journal passes undelivered events to the next run, with the same ids, although it was never closed", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const first = open(file);
  first.append([event(1), event(2), event(3)]);
  first.removeFirst();
  const second = open(file);
  expect(rest(second)).toEqual([event(2), event(3)]);
  expect(rest(open(file))).toEqual([]);
});

it("the event journal skips a line that was cut short by the end of the process", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  open(file).append([event(1)]);
  appendFileSync(file, '{"id":"id-2","df":"/wat');
  const journal = open(file);
  journal.append([event(3)]);
  expect(rest(open(file))).toEqual([event(1), event(3)]);
  journal.close();
});

it("the event journal does not grow without end, neither while it is emptied nor while there is always something left", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const journal = open(file);
  for (let n = 0; n < 40_000; n += 100) {
    journal.append(Array.from({ length: 100 }, (_, i) => event(n + i)));
    for (let i = 0; i < (n === 0 ? 50 : 100); i++) journal.removeFirst();
  }
  expect(journal.size).toBe(50);
  expect(statSync(file).size).toBeLessThan(3_000_000);
  for (let i = 0; i < 50; i++) journal.removeFirst();
  for (let n = 0; n < 20_000; n++) {
    journal.append([event(n)]);
    journal.removeFirst();
  }
  expect(statSync(file).size).toBeLessThan(1_100_000);
  expect(readFileSync(file, "utf8").split("\n").at(-1)).toBe("");
  journal.close();
});

const facts = (kind: KnownFacts["kind"], inode: number | bigint = 1): KnownFacts => ({
  kind,
  inode,
  born: 1_700_000_000_000.25,
  modified: 1_700_000_000_001.5,
  changed: 1_700_000_000_002,
  size: 3,
  mode: 0o644,
  owner: 1,
  group: 2,
  links: 0,
});
const tree = () => [
  noteOf("/", facts("directory")),
  noteOf("/文件", facts("directory")),
  noteOf("/文件/a", facts("file", 2n ** 60n)),
];
/** What a new run finds: paths of the tree, and the ids of undelivered events. */
function found(file: string) {
  const { journal, snapshot } = openEventJournal(file, {
    onWriteError: fail,
    onDamage: () => fail(new Error("damaged")),
  });
  const ids = rest(journal).map(({ id }) => id);
  journal.close();
  return { ids, paths: snapshot && [...subtree("/", snapshot.root)].map(([path]) => path) };
}

it("the event journal keeps the file tree with every fact, over runs and rewrites", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const first = open(file);
  first.keepTree(() => snapshotLines(["x$"], tree()));
  first.append([event(1)], [noteOf("/文件/b", facts("other")), noteOf("/gone", facts("file"))]);
  first.append([event(2)], [noteOf("/gone", undefined)]);
  const { snapshot, journal } = openEventJournal(file, {
    onWriteError: fail,
    onDamage: () => fail(new Error("damaged")),
  });
  expect(snapshot?.exclude).toEqual(["x$"]);
  const nodes = snapshot && [...subtree("/", snapshot.root)].map(([path, node]) => noteOf(path, node.facts));
  expect(nodes).toEqual([...tree(), noteOf("/文件/b", facts("other"))]);
  journal.keepTree(undefined);
  expect(found(file)).toEqual({ ids: ["id-1", "id-2"], paths: undefined });
});

it("the event journal has an event and its note of the tree both, or neither, wherever the end of the process cut the file", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const journal = open(file);
  journal.keepTree(() => snapshotLines([], tree()));
  const before = statSync(file).size;
  journal.append([event(1), event(2)], [noteOf("/文件/b", facts("file")), noteOf("/文件/a", undefined)]);
  journal.close();
  const whole = readFileSync(file);
  for (let bytes = before; bytes <= whole.length; bytes++) {
    writeFileSync(file, whole.subarray(0, bytes));
    expect(found(file)).toEqual(
      bytes < whole.length
        ? { ids: [], paths: ["/", "/文件", "/文件/a"] }
        : { ids: ["id-1", "id-2"], paths: ["/", "/文件", "/文件/b"] },
    );
  }
});

it("the event journal keeps no tree of more than 200,000 files, and reports that once", () => {
  const { lines, log } = recordedLog();
  let files = 200_001;
  const folder = { files: () => files, picture: tree, stop: () => Promise.resolve() };
  const picture = pictureLines(folder, { dir: "/watched", to: "", exclude: [], patternDeadlineMs: 1 }, log);
  expect([...picture(), ...picture()]).toEqual([]);
  expect(lines.filter((line) => line.includes("more than 200000 files"))).toHaveLength(1);
  files = 200_000;
  expect([...picture()].join("")).toContain("文件");
});

it("the event journal loses nothing on a disk that is nearly full, then full, then has room again", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const errors: Error[] = [];
  const journal = open(file, (error) => errors.push(error));
  const { writeSync } = fs;
  journal.keepTree(() => snapshotLines([], tree()));
  let room = 40;
  const tight = (descriptor: number, bytes: Buffer, at = 0) => {
    const taken = Math.min(7, room, bytes.length - at);
    if (taken === 0) throw new Error("ENOSPC");
    room -= taken;
    return writeSync(descriptor, bytes, at, taken);
  };
  fs.writeSync = tight as typeof writeSync;
  syncBuiltinESMExports();
  try {
    journal.append([event(1)], [noteOf("/new", facts("file"))]);
    expect(errors).toHaveLength(1);
    // Killed now, the next run finds what there was before the event, which it tells again from the tree.
    copyFileSync(file, `${file}.copy`);
    expect(found(`${file}.copy`)).toEqual({ ids: [], paths: ["/", "/文件", "/文件/a"] });
    // The journal tries to write a new file later; where that fails, too, it gives back what the new file took.
    room = 20;
    const isTriedAgain = () => {
      journal.append([]);
      return errors.length > 1;
    };
    await expect.poll(isTriedAgain).toBe(true);
    expect(existsSync(`${file}.new`)).toBe(false);
    room = Infinity;
    journal.append([event(2)]);
    const isWhole = () => {
      journal.append([]); // the disk is not tried at each event
      return readFileSync(file, "utf8").includes("id-2");
    };
    await expect.poll(isWhole).toBe(true);
    journal.append([event(3)]);
    journal.removeFirst();
  } finally {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  }
  expect(errors).toHaveLength(2);
  journal.close();
  expect(found(file)).toEqual({ ids: ["id-2", "id-3"], paths: ["/", "/文件", "/文件/a"] });
});
