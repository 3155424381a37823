/** A backup that is made while Hearth is used, and what another Hearth makes of it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { consoleOf, logIn } from "../../support/console/console-scene.ts";
import { forkApp } from "../../support/process/forked-app.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { hasSmallDisks, withSmallDisk } from "../../support/process/small-disk.ts";
import { checkWritten, writeAll, type Written } from "../../support/process/written-data.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const freshFolder = () => mkdtempSync(join(folder.path, "folder-"));
let hearth: ReturnType<typeof launchHearth>;
let addresses: ReadyFileContent;
let headers: Record<string, string>;
beforeAll(async () => {
  hearth = launchHearth({ dataDir });
  addresses = await hearth.ready();
  headers = await logIn(addresses, "ada");
  mkdirSync(join(dataDir, "collections"), { recursive: true });
  writeFileSync(
    join(dataDir, "collections", "books.json"),
    JSON.stringify({ properties: { title: { type: "string" } } }),
  );
});
afterAll(async () => {
  await hearth[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("hearth backup", () => {
  it("contains under load everything acknowledged before, and hearth restore brings it back completely", async () => {
    const before: Written[] = [];
    const during: Written[] = [];
    for (let number = 0; number < 5; number++) before.push(await writeAll(addresses, headers, number));
    let isOver = false;
    const load = Array.from({ length: 3 }, async (_, worker) => {
      for (let number = 1_000 * (worker + 1); !isOver; number++)
        during.push(await writeAll(addresses, headers, number));
    });
    await expect.poll(() => during.length).toBeGreaterThan(3);
    before.push(...during.splice(0));
    const file = join(freshFolder(), "backup.tar");
    const made = await runCommand(["backup", file, "--data-dir", dataDir]);
    isOver = true;
    await Promise.all(load);
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(made.stdout).toMatch(/^wrote .*backup\.tar: .*; keep it private\n$/);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["backup.tar"]);

    const other = join(freshFolder(), "data");
    expect(await runCommand(["restore", file, "--data-dir", other])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(other, "collections", "books.json"), "utf8")).toContain("title");
    await using second = launchHearth({ dataDir: other });
    const at = await second.ready();
    // The session of before is good there, too.
    for (const one of before) await checkWritten(at, headers, one);
    const { uploads } = (await consoleOf(at).get("/uploads?limit=100")) as { uploads: { id: number; size: number }[] };
    for (const { id, size } of uploads) {
      const content = await fetch(`${at.app}/api/uploads/${String(id)}/content`, { headers });
      expect((await content.arrayBuffer()).byteLength).toBe(size);
    }

    const refused = await runCommand(["restore", file, "--data-dir", other]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`the data directory ${other} is in use by another Hearth`);
    await checkWritten(at, headers, before[0] as Written);
    second.child.kill("SIGTERM");
    await second.exited;
    expect(second.output()).not.toMatch(/orphans|not in their place|damaged/);
  });

  it("replaces a file with --force alone, and keeps what a restore replaces", async () => {
    await writeAll(addresses, headers, 1);
    const file = join(freshFolder(), "mine.tar");
    writeFileSync(file, "mine");
    const refused = await runCommand(["backup", file, "--data-dir", dataDir]);
    expect([refused.code, readFileSync(file, "utf8")]).toEqual([1, "mine"]);
    expect(refused.stderr).toContain(`${file} already exists: name another file, or replace it with --force`);
    expect(await runCommand(["backup", file, "--force", "--data-dir", dataDir])).toMatchObject({ code: 0 });

    const other = freshFolder();
    writeFileSync(join(other, "hearth.config.json"), "{}");
    const restored = await runCommand(["restore", file, "--data-dir", other]);
    const [, kept = ""] = /the replaced data is kept in (.*)\n/.exec(restored.stdout) ?? [];
    expect(readdirSync(kept)).toEqual(["hearth.config.json"]);
    expect(readdirSync(other)).not.toContain("hearth.config.json");

    // As a restore leaves it that was killed when all had been read.
    const next = freshFolder();
    mkdirSync(join(next, "backups", "restore-begun"), { recursive: true });
    renameSync(other, join(next, "backups", "restore-begun", "new"));
    await using app = await forkApp(next);
    expect(await (await app.console("/uploads?limit=1")).json()).toMatchObject({
      uploads: [{ media_type: "application/zip" }],
    });
    expect(readdirSync(join(next, "backups"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("replaces what a link leads to, and no device or pipe", async () => {
    const at = freshFolder();
    const [pipe, linked, target] = ["pipe", "linked", "target"].map((name) => join(at, name)) as [
      string,
      string,
      string,
    ];
    execFileSync("mkfifo", [pipe]);
    symlinkSync(pipe, linked);
    for (const file of [pipe, linked]) {
      const refused = await runCommand(["backup", file, "--force", "--data-dir", dataDir]);
      expect(refused).toMatchObject({ code: 1, stderr: `hearth: ${file} is not a regular file: name another\n` });
    }
    expect([lstatSync(pipe).isFIFO(), readlinkSync(linked)]).toEqual([true, pipe]);

    const latest = join(at, "latest.tar");
    symlinkSync("target", latest);
    const dangling = await runCommand(["backup", latest, "--force", "--data-dir", dataDir]);
    expect(dangling).toMatchObject({ code: 1, stderr: expect.stringContaining("not a regular file") as string });
    writeFileSync(target, "old");
    expect(await runCommand(["backup", latest, "--data-dir", dataDir])).toMatchObject({ code: 1 });
    expect(await runCommand(["backup", latest, "--force", "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect(readlinkSync(latest)).toBe("target");
    expect(readFileSync(target).includes("manifest.json")).toBe(true);
    expect(readdirSync(at).toSorted()).toEqual(["latest.tar", "linked", "pipe", "target"]);
  });

  it.runIf(hasSmallDisks)("restores nothing where the folder of backups is on another disk, and says so", async () => {
    const at = freshFolder();
    const [file, other] = [join(at, "backup.tar"), join(at, "data")];
    expect(await runCommand(["backup", file, "--data-dir", dataDir])).toMatchObject({ code: 0 });
    const backups = join(other, "backups");
    mkdirSync(backups, { recursive: true });
    writeFileSync(join(other, "routes.json"), "[]");
    const restore = [process.execPath, builtCommand, "restore", file, "--data-dir", other];
    const [command, ...args] = withSmallDisk(backups, { kilobytes: 64_000 }, restore);
    const refused = spawnSync(command, args, { env: plainEnvironment(), encoding: "utf8" });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${backups} is on another disk than ${other}`) as string,
    });
    expect(readFileSync(join(other, "routes.json"), "utf8")).toBe("[]");
    expect(readdirSync(other)).not.toContain("hearth.db");
  });

  it("says what is wrong with its command line, and where there is nothing to be saved", async () => {
    const empty = freshFolder();
    expect(await runCommand(["backup"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("one file") as string,
    });
    expect(await runCommand(["restore", "a", "--force"])).toMatchObject({ code: 2 });
    const none = await runCommand(["backup", join(empty, "a.tar"), "--data-dir", empty]);
    expect([none.code, readdirSync(empty)]).toEqual([1, []]);
    expect(none.stderr).toContain(`${empty} contains no Hearth data`);
    mkdirSync(join(empty, "backups", "restore-begun"), { recursive: true });
    const cutOff = await runCommand(["backup", join(empty, "a.tar"), "--data-dir", empty]);
    expect([cutOff.code, readdirSync(empty)]).toEqual([1, ["backups"]]);
    expect(cutOff.stderr).toContain(`a restore into ${empty} is not complete. If it was interrupted, start Hearth`);
    const broken = join(empty, "broken.tar");
    writeFileSync(broken, "no archive");
    const refused = await runCommand(["restore", broken, "--data-dir", join(empty, "data")]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${broken} cannot be restored: `) as string,
    });
    const { stdout } = await runCommand(["backup", "--help"]);
    expect(stdout).toContain("does not contain:\n- models");
    expect(await runCommand(["help", "backup"])).toMatchObject({ code: 0, stdout });
  });

  /** A backup that is being written into a folder, and takes long. */
  async function beginLong(to: string) {
    const data = freshFolder();
    for (const name of ["hearth.db", "provider.db"]) writeFileSync(join(data, name), "");
    mkdirSync(join(data, "collections"));
    // So long that a signal comes before its end; it takes no room.
    writeFileSync(join(data, "collections", "long.json"), "");
    truncateSync(join(data, "collections", "long.json"), 8e9);
    const child = spawn(process.execPath, [builtCommand, "backup", join(to, "a.tar"), "--data-dir", data], {
      env: plainEnvironment(),
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const written = () =>
      readdirSync(to, { recursive: true, encoding: "utf8" }).filter(
        (name) => name.endsWith("backup.tar") && statSync(join(to, name)).size > 0,
      );
    await expect.poll(written).toHaveLength(1);
    return { child, exited };
  }

  it.skipIf(process.platform === "win32")("leaves nothing when it is cancelled", async () => {
    const to = freshFolder();
    const { child, exited } = await beginLong(to);
    child.kill("SIGINT");
    expect(await exited).toEqual([130, null]);
    expect(readdirSync(to)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "removes what a killed one has left, and leaves a running one be",
    async () => {
      const to = freshFolder();
      const { child, exited } = await beginLong(to);
      child.kill("SIGSTOP");
      const next = (name: string) => runCommand(["backup", join(to, name), "--data-dir", dataDir]);
      expect(await next("b.tar")).toMatchObject({ code: 0 });
      expect(readdirSync(to).toSorted()).toEqual([expect.stringMatching(/^a\.tar\.part-/), "b.tar"]);
      child.kill("SIGKILL");
      await exited;
      expect(await next("c.tar")).toMatchObject({ code: 0 });
      expect(readdirSync(to).toSorted()).toEqual(["b.tar", "c.tar"]);
    },
  );
});
