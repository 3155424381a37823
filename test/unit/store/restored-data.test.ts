/** Restored data takes the place of what was there: whole, wherever that is cut off. */
import fs, { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { beginPlacing, endPlacing, incomingIn } from "../../../server/store/backup/restored-data.ts";
import { newerVersion, noteVersion, otherVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { backupScene, filesIn, put, sha256Of } from "../../support/app/backup-scene.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

const scene = backupScene();
const { newFolder } = scene;
afterAll(() => scene[Symbol.dispose]());

describe("restored data", () => {
  let data: string;
  const names = ["hearth.db", "uploads/aa/x", "collections/c.json", "hearth.config.json", "watch/folder-1.jsonl"];
  const all = (text: string, ...more: string[]) =>
    Object.fromEntries([...names, ...more].sort().map((name) => [name, sha256Of(Buffer.from(text))]));
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  /**
   * Lets so many changes of files happen, and no more, as if the process had been killed; or so many renames, and only
   * the next one is refused.
   */
  async function placeUntil(
    changes: number,
    {
      isDead = true,
      rmSync = fs.rmSync,
      place = (): Promise<unknown> => beginPlacing(data).then(() => endPlacing(data)),
    } = {},
  ): Promise<"done" | "cut off"> {
    let left = changes;
    const guarded =
      <Given extends unknown[], Value>(act: (...given: Given) => Value, isRename = false) =>
      (...given: Given): Value => {
        if (isDead ? left <= 0 : isRename && left === 0) {
          left--;
          throw Object.assign(new Error("cross-device link"), { code: "EXDEV" });
        }
        if (isDead || isRename) left--;
        return act(...given);
      };
    const { renameSync, mkdirSync } = fs;
    const { rm } = fs.promises;
    vi.spyOn(fs, "renameSync").mockImplementation(guarded(renameSync, true));
    vi.spyOn(fs, "mkdirSync").mockImplementation(guarded(mkdirSync));
    vi.spyOn(fs, "rmSync").mockImplementation(guarded(rmSync));
    vi.spyOn(fs.promises, "rm").mockImplementation(guarded(rm));
    syncBuiltinESMExports();
    try {
      await place();
      return "done";
    } catch {
      return "cut off";
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  }

  /** Puts a database there as a killed process leaves it: its row is in the journal alone. */
  function putUnclosed(folder: string, id: number): void {
    const written = join(newFolder(), "written.db");
    const sqlite = new Sqlite(written);
    sqlite.exec(
      `pragma journal_mode = wal; create table rows (id); pragma wal_checkpoint; insert into rows values (${String(id)})`,
    );
    for (const suffix of ["", "-wal"]) put(folder, `hearth.db${suffix}`, readFileSync(`${written}${suffix}`));
    sqlite.close();
  }

  function rowsIn(folder: string): unknown[] {
    const reader = new Sqlite(join(folder, "hearth.db"), { readOnly: true });
    try {
      return reader.prepare("select id from rows").values();
    } finally {
      reader.close();
    }
  }

  beforeEach(() => {
    data = newFolder();
    for (const name of names) put(data, name, "old");
    put(data, "hearth.db-wal", "old");
    put(data, "models/m.gguf", "old");
    for (const name of names) put(incomingIn(data), name, "new");
  });

  it("is completely the old or the new, wherever the restore and its completion are killed; nothing is deleted", async () => {
    const ends: string[] = [];
    const results = new Set<string>();
    for (let changes = 0; ends.at(-1) !== "done"; changes++) {
      rmSync(data, { recursive: true });
      for (const name of [...names, "hearth.db-wal"]) put(data, name, "old");
      for (const name of names) put(incomingIn(data), name, "new");
      ends.push(await placeUntil(changes));
      await placeUntil(changes % 7, { place: () => endPlacing(data) });
      await endPlacing(data);
      const backups = readdirSync(join(data, "backups"));
      results.add(backups.length === 0 ? "old" : "new");
      if (backups.length === 0) expect(filesIn(data)).toEqual(all("old", "hearth.db-wal"));
      else {
        expect(backups).toHaveLength(1);
        expect(filesIn(data)).toEqual(all("new"));
        expect(filesIn(join(data, "backups", backups[0] ?? ""))).toEqual(all("old", "hearth.db-wal"));
      }
    }
    expect([...results]).toEqual(["old", "new"]);
    expect(ends.length).toBeGreaterThan(12);
  });

  it("takes nothing from a database's journal when that is read where the restore was killed", async () => {
    const copy = newFolder();
    putUnclosed(copy, 1);
    const ends: string[] = [];
    for (let changes = 0; ends.at(-1) !== "done"; changes++) {
      rmSync(data, { recursive: true });
      for (const to of [data, incomingIn(data)]) fs.cpSync(copy, to, { recursive: true });
      ends.push(await placeUntil(changes));
      if (fs.existsSync(join(data, "hearth.db"))) expect(rowsIn(data)).toEqual([1]);
      await endPlacing(data);
      const kept = readdirSync(join(data, "backups")).map((name) => join(data, "backups", name));
      for (const folder of [data, ...kept]) expect(rowsIn(folder)).toEqual([1]);
    }
    expect(ends.length).toBeGreaterThan(8);
  });

  it("keeps beside the old what has come to its place since the restore was killed", async () => {
    const ends: string[] = [];
    for (let changes = 0; ends.at(-1) !== "done"; changes++) {
      rmSync(data, { recursive: true });
      for (const name of names) put(data, name, "old");
      for (const name of names) put(incomingIn(data), name, "new");
      ends.push(await placeUntil(changes));
      const since = names.filter((name) => !fs.existsSync(join(data, name)));
      for (const name of since) put(data, name, "since");
      await endPlacing(data);
      const backups = readdirSync(join(data, "backups")).map((name) => filesIn(join(data, "backups", name)));
      expect([filesIn(data), ...backups]).toContainEqual(all("old"));
      expect(backups.flatMap((files) => Object.entries(files))).toEqual(
        expect.arrayContaining(since.map((name) => [name, sha256Of(Buffer.from("since"))])),
      );
    }
    expect(ends.length).toBeGreaterThan(12);
  });

  it("moves aside a database that has come since with its journal", async () => {
    const restored = join(newFolder(), "restored.db");
    const sqlite = new Sqlite(restored);
    sqlite.exec("create table rows (id); insert into rows values (2)");
    sqlite.close();
    const ends: string[] = [];
    const seen = new Set<string>();
    for (let changes = 0; ends.at(-1) !== "done"; changes++) {
      rmSync(data, { recursive: true });
      putUnclosed(data, 1);
      put(incomingIn(data), "hearth.db", readFileSync(restored));
      ends.push(await placeUntil(changes));
      const came = ["", "-wal"].every((suffix) => !fs.existsSync(join(data, `hearth.db${suffix}`)));
      if (came) putUnclosed(data, 3);
      await endPlacing(data);
      const kept = readdirSync(join(data, "backups")).map((name) => join(data, "backups", name));
      const rows = [data, ...kept].map((folder) => rowsIn(folder)[0]);
      seen.add(`${String(came)} ${rows.map(String).sort().join()} now ${String(rows[0])}`);
    }
    expect([...seen].sort()).toEqual(["false 1 now 1", "false 1,2 now 2", "true 1,2,3 now 2"]);
  });

  it("moves aside links, too, and gives them back, wherever they lead", async () => {
    const elsewhere = newFolder();
    const linked = () => {
      rmSync(data, { recursive: true });
      for (const name of names) put(incomingIn(data), name, "new");
      put(data, "hearth.db", "old");
      symlinkSync(relative(data, elsewhere), join(data, "uploads"));
      symlinkSync(join(elsewhere, "unmounted"), join(data, "collections"));
    };
    const linksIn = (folder: string) =>
      ["uploads", "collections"].map((name) => lstatSync(join(folder, name)).isSymbolicLink());
    linked();
    expect(await placeUntil(4, { isDead: false })).toBe("cut off");
    expect(linksIn(data)).toEqual([true, true]);
    linked();
    await beginPlacing(data);
    const placed = await endPlacing(data);
    expect([filesIn(data), linksIn(placed?.before ?? "")]).toEqual([all("new"), [true, true]]);
  });

  it("is known as its own version's from the moment on at which it is certain", async () => {
    const ends: string[] = [];
    const versions = new Set<string | undefined>();
    for (let changes = 0; ends.at(-1) !== "done"; changes++) {
      rmSync(data, { recursive: true });
      for (const [folder, version] of [
        [data, "2.0.0"],
        [incomingIn(data), "1.0.0"],
      ] as const) {
        put(folder, "hearth.db", version);
        noteVersion(folder, version);
      }
      ends.push(await placeUntil(changes));
      const version = otherVersion(data, "3.0.0");
      versions.add(version);
      await endPlacing(data);
      expect([otherVersion(data, "3.0.0"), readFileSync(join(data, "hearth.db"), "utf8")]).toEqual([version, version]);
    }
    expect([...versions]).toEqual(["2.0.0", "1.0.0"]);
  });

  it("is the version's that starts before it is in place", async () => {
    noteVersion(incomingIn(data), "1.0.0");
    await beginPlacing(data);
    noteVersion(data, "2.0.0");
    await endPlacing(data);
    expect(newerVersion(data, "1.0.0")).toBe("2.0.0");
  });

  it("replaces nothing when the present data cannot be moved", async () => {
    expect(await placeUntil(4, { isDead: false })).toBe("cut off");
    expect(filesIn(data)).toEqual(all("old", "hearth.db-wal", "models/m.gguf"));
    expect([await endPlacing(data), readdirSync(join(data, "backups"))]).toEqual([undefined, []]);
  });

  it("replaces nothing either when the restore is killed while it is given up", async () => {
    const removeOne = (folder: fs.PathLike) => {
      rmSync(join(String(folder), "new", "hearth.db"));
      throw new Error("killed");
    };
    expect(await placeUntil(4, { isDead: false, rmSync: removeOne })).toBe("cut off");
    await endPlacing(data);
    expect(filesIn(data)).toEqual(all("old", "hearth.db-wal", "models/m.gguf"));
  });
});
