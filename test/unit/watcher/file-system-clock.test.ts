import { beforeEach, describe, expect, it } from "vitest";
import { createFileSystemClock } from "../../../server/watcher/detection/file-system-clock.ts";
import { memoryDisk, start } from "../../support/process/memory-disk.ts";

describe("the change detector, of a file system whose clock is ten seconds behind,", () => {
  const there = start + 50_000;
  let d: ReturnType<typeof memoryDisk>;
  beforeEach(() => {
    d = memoryDisk();
    d.detector.started();
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
  const clock = createFileSystemClock(() => start);
  expect(clock.at(start - 500)).toBe(start - 500);
  clock.learn(start - 500, start - 10_000);
  expect(clock.at(start - 500)).toBe(start - 10_500);
  clock.learn(start - 500, start);
  expect(clock.at(start - 500)).toBe(start - 500);
});
