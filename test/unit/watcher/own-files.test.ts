import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOwnFiles } from "../../../server/watcher/excluded/own-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("Hearth's own files in a watched folder", () => {
  it("are those below the data directory, by whatever link it is named, and the queue", () => {
    using folder = temporaryFolder();
    const [data, link] = [join(folder.path, "data"), join(folder.path, "link")];
    mkdirSync(data);
    symlinkSync(data, link);
    const queue = join(folder.path, "queue.jsonl");
    const isOwn = createOwnFiles({ dir: folder.path, root: folder.path, own: [queue, link] });
    expect([data, join(data, "hearth.db"), queue].map(isOwn)).toEqual([true, true, true]);
    expect([join(folder.path, "database"), join(folder.path, "a.txt")].map(isOwn)).toEqual([false, false]);
  });

  it.each(["darwin", "win32"] as const)(
    "are known by a name in another case on %s, where that is the same file",
    (platform) => {
      using folder = temporaryFolder();
      const data = join(folder.path, "Data");
      const queue = join(folder.path, "Queue.jsonl");
      const names = [join(folder.path, "data", "Hearth.db"), join(folder.path, "queue.JSONL")];
      const own = { dir: folder.path, root: folder.path, own: [queue, data] };
      // The separator of the machine that runs this, which win32 does not have.
      expect(createOwnFiles({ ...own, own: [queue] }, platform)(names[1] ?? "")).toBe(true);
      if (platform === "darwin") expect(names.map(createOwnFiles(own, platform))).toEqual([true, true]);
      expect(names.map(createOwnFiles(own, "linux"))).toEqual([false, false]);
    },
  );
});
