import { beforeEach, describe, expect, it } from "vitest";
import { createFileSystemClock } from "../../../server/watcher/detection/file-system-clock.ts";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

describe("the change detector, of a file system whose clock is ten seconds behind,", () => {
  const there = start + 50_000;
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk();
    d.detector.start.end();
    d.put("new", 0, there);
    d.change("", { changed: there });
    d.hint("new");
  });

  it("reports new files as created, those too that only a look shows", () => {
    d.put("found", 0, there);
    d.hint({ path: "found", renames: 0, found: true });
    expect(d.reports()).toEqual(["create new", "create found"]);
  });

  it("reports an older file as moved in, also where a move does not change the file's own times", () => {
    d.put("old", 0, start - 9e6);
    d.hint("old");
    d.put("stamped", 0, start - 9e6);
    d.change("stamped", { changed: there });
    d.hint("stamped");
    expect(d.reports()).toEqual(["create new", "move old", "move stamped"]);
  });
});

it("a file system's clock that agrees again is taken as such", () => {
  const d = memoryDisk();
  d.put("old", 0, start);
  const facts = d.facts("old");
  let folder = { ...facts, changed: start + 50_000 };
  const seenUntil = createFileSystemClock({ readFacts: () => folder, date: () => start + 60_000 });
  const hint = { path: "/watched/old", renames: 1, changed: false, seenUntil: start + 59_000 };
  expect(seenUntil(hint, facts)).toBe(start + 49_000);
  folder = { ...facts, changed: start + 60_000 };
  expect(seenUntil(hint, facts)).toBe(start + 59_000);
});
