import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newerVersion, noteVersion } from "../../server/supervisor/data-directory/data-version.ts";
import { prepareDataDir } from "../../server/supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../../server/supervisor/run-error.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Whether a Hearth of one version finds that a newer one has used the data. */
function findsNewer(own: string, last: string): boolean {
  using folder = temporaryFolder();
  noteVersion(folder.path, last);
  return newerVersion(folder.path, own) === last;
}

describe("the version that a data directory remembers", () => {
  it.each([
    ["0.1.0", "0.1.1"],
    ["0.9.0", "0.10.0"],
    ["1.0.0-rc.2", "1.0.0-rc.10"],
    ["1.0.0-rc.2", "1.0.0"],
  ])("is newer than %s if it is %s, and not the other way round", (older, newer) => {
    expect(findsNewer(older, newer)).toBe(true);
    expect(findsNewer(newer, older)).toBe(false);
    expect(findsNewer(newer, newer)).toBe(false);
  });

  it("is that of the Hearth that used it last, whatever was there before", () => {
    using folder = temporaryFolder();
    noteVersion(folder.path, "2.0.0");
    noteVersion(folder.path, "1.0.0");
    expect(newerVersion(folder.path, "1.0.0")).toBeUndefined();
    expect(readdirSync(folder.path)).toHaveLength(1);
  });

  it("is unknown where none was noted, or the note is no such thing", () => {
    using folder = temporaryFolder();
    expect(newerVersion(folder.path, "0.1.0")).toBeUndefined();
    noteVersion(folder.path, "9.0.0");
    const [note = ""] = readdirSync(folder.path);
    for (const text of ["", "{", "[]", '{"version":"a\\u001bb"}', '{"version":9}']) {
      writeFileSync(join(folder.path, note), text);
      expect(newerVersion(folder.path, "0.1.0")).toBeUndefined();
    }
  });

  it("keeps an older Hearth from the data, which names both and offers a directory of its own", () => {
    using folder = temporaryFolder();
    noteVersion(folder.path, "2.0.0");
    expect(() => prepareDataDir({ data_dir: folder.path }, "2.0.0")).not.toThrow();
    const offered = `${folder.path}-1.0.0`;
    const refused = () => prepareDataDir({ data_dir: folder.path }, "1.0.0");
    expect(refused).toThrow(RunError);
    expect(refused).toThrow(
      `the data directory ${folder.path} was last used by Hearth 2.0.0, which is newer than this version 1.0.0`,
    );
    expect(refused).toThrow(`--data-dir ${offered}`);
    expect(refused).toThrow(expect.objectContaining({ remedy: { type: "own-folder", dataDir: offered } }));
  });
});
