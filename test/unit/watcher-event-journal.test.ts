import fs, { appendFileSync, readFileSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEventJournal, type EventJournal, type QueuedEvent } from "../../server/watcher/event-journal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fail = (error: Error) => {
  throw error;
};
const event = (n: number): QueuedEvent => ({ id: `id-${n}`, df: `/watched/文件 ${n}\n"x"`, ev: "modify" });
const rest = (journal: EventJournal) => {
  const events: QueuedEvent[] = [];
  for (let next = journal.first(); next; next = journal.first()) {
    events.push(next);
    journal.removeFirst();
  }
  return events;
};

it("hands events out in the order in which they came", () => {
  using folder = temporaryFolder();
  const journal = openEventJournal(join(folder.path, "new", "queue.jsonl"), fail);
  expect(journal.first()).toBeUndefined();
  journal.append([event(1), event(2)]);
  journal.append([event(3)]);
  expect(journal.size).toBe(3);
  expect(rest(journal)).toEqual([event(1), event(2), event(3)]);
  expect(journal.size).toBe(0);
  journal.close();
});

it("gives what was not delivered to the next run, with the same ids, although it was never closed", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const first = openEventJournal(file, fail);
  first.append([event(1), event(2), event(3)]);
  first.removeFirst();
  const second = openEventJournal(file, fail);
  expect(rest(second)).toEqual([event(2), event(3)]);
  expect(rest(openEventJournal(file, fail))).toEqual([]);
});

it("passes over a line that the end of the process cut short", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  openEventJournal(file, fail).append([event(1)]);
  appendFileSync(file, '{"id":"id-2","df":"/wat');
  const journal = openEventJournal(file, fail);
  journal.append([event(3)]);
  expect(rest(openEventJournal(file, fail))).toEqual([event(1), event(3)]);
  journal.close();
});

it("does not grow without end, neither while it is emptied nor while there is always something left", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const journal = openEventJournal(file, fail);
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

it("loses nothing on a disk that is nearly full, then full, then has room again", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "queue.jsonl");
  const errors: Error[] = [];
  const journal = openEventJournal(file, (error) => errors.push(error));
  const { writeSync } = fs;
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
    journal.append([event(1)]);
    expect(errors).toHaveLength(1);
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
  expect(errors).toHaveLength(1);
  expect(rest(openEventJournal(file, fail))).toEqual([event(2), event(3)]);
  journal.close();
});
