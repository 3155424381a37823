/** The backup of an older Hearth's data before this one changes them, and the way back to it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentPath } from "../../../server/cli/backup/backup-format.ts";
import { lockFile } from "../../../server/process/file-lock.ts";
import { newerVersion, noteVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { createNodeFork } from "../../../server/supervisor/processes/fork-node.ts";
import { prepareDataDir } from "../../../server/supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../../../server/supervisor/run-error.ts";
import {
  backUpBeforeUpdate,
  olderBackup,
  restoreUpdateBackup,
  updateBackups,
} from "../../../server/supervisor/data-directory/update-backup.ts";
import { addUpload, filesIn } from "../../support/app/backup-scene.ts";
import { migrationsOf, newestMigration, olderVersion, writeOlderData } from "../../support/app/older-data.ts";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";
import { hasSmallDisks, withSmallDisk } from "../../support/process/small-disk.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  await writeOlderData(dataDir);
});
afterEach(() => folder[Symbol.dispose]());

const backups = () => readdirSync(join(dataDir, "backups"));
const settings = () => ({ data_dir: dataDir, update_backup: true });
const worker = (signal = new AbortController().signal) => ({
  entry: join(builtCommand, "../update-backup.js"),
  fork: createNodeFork(),
  signal,
});

describe("the first start of a newer Hearth", () => {
  it("backs the data up before it changes them, and one command gives them back to the older one", async () => {
    {
      await using hearth = launchHearth({ dataDir });
      await hearth.ready();
      await hearth.prints("backing up the data");
      await hearth.prints("hearth restore ");
    }
    expect(migrationsOf(dataDir)).toContain(newestMigration);
    const [backup] = updateBackups(settings());
    expect(backup).toMatchObject({
      version: olderVersion,
      file: expect.stringContaining(`before-update-${olderVersion}-`) as string,
    });
    const file = backup?.file ?? "";
    expect(await runCommand(["restore", file, "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" });
    expect(migrationsOf(dataDir)).not.toContain(newestMigration);
    expect(newerVersion(dataDir, olderVersion)).toBeUndefined();
    expect(newerVersion(dataDir, "0.0.8")).toBe(olderVersion);
  });

  it("makes none when it is told not to, nor where it changes nothing", async () => {
    await using hearth = launchHearth({ dataDir, flags: ["--no-update-backup"] });
    await hearth.ready();
    expect(updateBackups(settings())).toEqual([]);
    // Up to date now, but of another version.
    expect(await backUpBeforeUpdate(settings(), "0.2.0", worker())).toBeUndefined();
  });

  it.runIf(hasSmallDisks)("says what is missing where the backup has no room, and changes nothing", async () => {
    writeFileSync(join(dataDir, "uploads", "large"), Buffer.alloc(3_000_000));
    const disk = join(folder.path, "disk");
    mkdirSync(disk);
    const onDisk = join(disk, "data");
    const copied = ["sh", "-c", 'cp -a "$1" "$2"; shift 2; exec "$@"', "sh", dataDir, onDisk];
    const serve = [...copied, process.execPath, builtCommand, "serve"];
    const command = withSmallDisk(disk, { kilobytes: 10_000 }, serve);
    await using refused = launchHearth({ command, dataDir: onDisk });
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(/of Hearth 0\.0\.9 in .* cannot be backed up.*enough space: .* required/);
    await using hearth = launchHearth({ command, dataDir: onDisk, flags: ["--no-update-backup"] });
    await hearth.ready();
  });
});

describe("backups before updates", () => {
  it("are few, and whole: older ones go, and what was cut off", async () => {
    mkdirSync(join(dataDir, "backups"));
    const left = ["before-update-0.0.7-20250101T000000Z.tar", "before-update-0.0.8-20260101T000000Z.tar", "mine.tar"];
    for (const name of left) writeFileSync(join(dataDir, "backups", name), "");
    mkdirSync(join(dataDir, "backups", "before-update-0.0.9-20260101T000000Z.tar.part-abc"));
    const made = await backUpBeforeUpdate(settings(), version, worker());
    expect(backups().sort()).toEqual([left[1], basename(made?.file ?? ""), left[2]]);
  });

  it.skipIf(process.platform === "win32")("leave the data when they are cut off, and are made next time", async () => {
    const content = Buffer.from("a file that nobody can read to its end");
    const upload = join(dataDir, contentPath(addUpload(dataDir, content)));
    const before = filesIn(dataDir);
    // A pipe without a writer keeps the backup from being complete before it is cut off.
    rmSync(upload);
    execFileSync("mkfifo", [upload]);
    const stop = new AbortController();
    const cut = backUpBeforeUpdate(settings(), version, { ...worker(stop.signal), onProgress: () => stop.abort() });
    await expect(cut).rejects.toThrow("aborted");
    rmSync(upload);
    writeFileSync(upload, content);
    expect(updateBackups(settings())).toEqual([]);
    expect(filesIn(dataDir)).toEqual(before);
    const made = await backUpBeforeUpdate(settings(), version, worker());
    expect(backups()).toEqual([basename(made?.file ?? "")]);
  });

  it.skipIf(process.platform === "win32")(
    "hold the data as long as they work, also when whoever waits for them is gone",
    async () => {
      // Reading it takes forever.
      execFileSync("mkfifo", [join(dataDir, "routes.json")]);
      const isHeld = () => {
        const lock = lockFile(join(dataDir, "services.lock"));
        if (typeof lock !== "string") lock.release();
        return lock === "held";
      };
      expect(isHeld()).toBe(false);
      const stop = new AbortController();
      const made = backUpBeforeUpdate(settings(), version, worker(stop.signal));
      await expect.poll(isHeld).toBe(true);
      stop.abort();
      await expect(made).rejects.toThrow("aborted");
      expect(isHeld()).toBe(false);
    },
  );

  it("are neither made nor given back where the data are in PostgreSQL", async () => {
    const inPostgres = { ...settings(), database_url: "postgres://127.0.0.1/hearth" };
    expect(await backUpBeforeUpdate(inPostgres, version, worker())).toBeUndefined();
    const made = await backUpBeforeUpdate(settings(), version, worker());
    expect([olderBackup(settings(), version), olderBackup(inPostgres, version)]).toEqual([made, undefined]);
    noteVersion(dataDir, version);
    const remedy = (type: string) => expect.objectContaining({ remedy: expect.objectContaining({ type }) as unknown });
    expect(() => prepareDataDir(settings(), olderVersion)).toThrow(remedy("way-back"));
    expect(() => prepareDataDir(inPostgres, olderVersion)).toThrow(remedy("own-folder"));
  });

  it("are refused with the reason where a database is damaged", async () => {
    writeFileSync(join(dataDir, "hearth.db"), "no database, but longer than the header of one".repeat(100));
    const refused = backUpBeforeUpdate(settings(), version, worker());
    await expect(refused).rejects.toThrow(RunError);
    await expect(refused).rejects.toThrow(/hearth\.db is damaged.*--no-update-backup/s);
    await expect(refused).rejects.toMatchObject({ remedy: { type: "no-backup" } });
  });

  it("give the older Hearth its data back, and keep what was written since", async () => {
    const uploadsIn = (path: string) => Object.keys(filesIn(path)).filter((name) => name.startsWith("uploads"));
    const before = uploadsIn(dataDir);
    const backup = await backUpBeforeUpdate(settings(), version, worker());
    if (backup === undefined) throw new Error("there is no backup");
    noteVersion(dataDir, version);
    addUpload(dataDir, Buffer.from("a file of after"));
    const kept = await restoreUpdateBackup(dataDir, backup, worker());
    expect(uploadsIn(dataDir)).toEqual(before);
    expect(uploadsIn(kept ?? "")).toHaveLength(2);
    expect(newerVersion(dataDir, "0.0.8")).toBe(olderVersion);
  });
});
