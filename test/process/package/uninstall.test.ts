import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { installPathCommand } from "../../../server/process/installation/path-command.ts";
import { noteDirectory } from "../../../server/process/settings/known-directories.ts";
import { takeInstanceLock } from "../../../server/supervisor/data-directory/instance-lock.ts";
import { noteVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { queueFileIn } from "../../../server/watcher/journal/queue-file.ts";
import { builtCommand, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A home with the command on its path, and a data directory with a file of somebody else in it. */
function scene(home: string) {
  const data = join(home, "data");
  for (const folder of ["uploads", "models"]) mkdirSync(join(data, folder), { recursive: true });
  for (const file of ["lock.db", "hearth.db", "hearth.db-wal", "uploads/a", "keys.json", "keys.lock", "notes.txt"])
    writeFileSync(join(data, file), "");
  noteVersion(data, "0.1.0");
  const userPath = { add: () => undefined, remove: () => undefined };
  const { file } = installPathCommand("/opt/hearth", { platform: "linux", home, env: {}, userPath });
  const args = ["uninstall", "--data-dir", data];
  const env = { HOME: home, XDG_DATA_HOME: join(home, "other"), XDG_CACHE_HOME: join(home, "cache") };
  const uninstall = (...flags: string[]) => runCommand([...args, ...flags], env);
  /** With pipes that pass for a terminal, where `keys` are pressed at the question. */
  async function uninstallAsked(keys: string) {
    const NODE_OPTIONS = "--import=data:text/javascript,process.stdin.isTTY=process.stdout.isTTY=true";
    const child = spawn(process.execPath, [builtCommand, ...args], {
      env: { ...plainEnvironment(), ...env, NODE_OPTIONS },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = once(child, "exit");
    let output = "";
    for (const out of [child.stdout, child.stderr]) out.on("data", (text: Buffer) => (output += text.toString()));
    await expect.poll(() => output).toContain("[y/N] ");
    child.stdin.end(keys);
    const [code] = (await exited) as [number | null];
    return { code, output };
  }
  return { data, command: file, uninstall, uninstallAsked };
}

describe("hearth uninstall", () => {
  it("removes the command from the path, and keeps the data where nobody can be asked", async () => {
    using home = temporaryFolder();
    const { data, command, uninstall } = scene(home.path);
    const { code, stdout } = await uninstall();
    expect(code).toBe(0);
    expect(stdout).toContain(`removed the command ${command}`);
    expect(stdout).toContain(`the data stays in ${data}`);
    expect(existsSync(command)).toBe(false);
    expect(existsSync(join(data, "hearth.db"))).toBe(true);
    expect(await uninstall()).toMatchObject({ code: 0, stderr: "" });
  });

  it("deletes the list of projects' data directories with the usual data directory", async () => {
    using home = temporaryFolder();
    const [data, project] = [join(home.path, "hearth"), join(home.path, "project")];
    for (const folder of [data, project]) mkdirSync(folder);
    writeFileSync(join(data, "lock.db"), "");
    noteDirectory(project, data);
    expect(readdirSync(home.path).sort()).toEqual(["hearth", "hearth-directories", "project"]);
    const env = { HOME: home.path, XDG_DATA_HOME: home.path };
    expect(await runCommand(["uninstall", "--delete-data"], env, project)).toMatchObject({ code: 0 });
    expect(readdirSync(home.path)).toEqual(["project"]);
  });

  it("deletes the data when told to, and nothing else in that folder", async () => {
    using home = temporaryFolder();
    const { data, uninstall } = scene(home.path);
    expect(await uninstall("--delete-data")).toMatchObject({ code: 0, stdout: expect.stringContaining("notes.txt") });
    expect(readdirSync(data)).toEqual(["notes.txt"]);
  });

  it("deletes the authority's key and the data where other commands have made them, and no Hearth has run", async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path, XDG_DATA_HOME: home.path };
    const of = (name: string) => ["--data-dir", join(home.path, name)];
    for (const args of [
      ["ca", ...of("ca")],
      ["keys", "add", "mine", ...of("keys")],
    ])
      expect(await runCommand(args, env), args[0]).toMatchObject({ code: 0 });
    const journal = queueFileIn(join(home.path, "watch"), home.path, "http://127.0.0.1/");
    mkdirSync(dirname(journal), { recursive: true });
    writeFileSync(journal, "");
    const kept = await runCommand(["uninstall", ...of("ca")], env);
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining("removed the certificate authority") });
    for (const name of ["ca", "keys", "watch"]) {
      const { stdout } = await runCommand(["uninstall", "--delete-data", ...of(name)], env);
      expect(stdout).toContain(`deleted ${join(home.path, name)}\n`);
    }
    expect(readdirSync(home.path)).toEqual([]);
  });

  it("deletes nothing in a folder that no Hearth has used, and says so", async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path, XDG_DATA_HOME: home.path };
    const mine = ["uploads/mine", "watch/mine.jsonl", "certificate-authority/mine.key", "models/mine", "keys.json"];
    for (const name of mine) {
      mkdirSync(dirname(join(home.path, "project", name)), { recursive: true });
      writeFileSync(join(home.path, "project", name), "");
    }
    for (const name of ["project", "nowhere"]) {
      const folder = join(home.path, name);
      const said = `${folder} contains no Hearth data: nothing was deleted there\n`;
      const args = ["uninstall", "--delete-data", "--data-dir", folder];
      expect(await runCommand(args, env)).toMatchObject({ code: 0, stdout: said });
    }
    for (const name of mine) expect(existsSync(join(home.path, "project", name)), name).toBe(true);
  });

  it("deletes the backups that Hearth has made by itself, and leaves a person's", async () => {
    using home = temporaryFolder();
    const { data, uninstall } = scene(home.path);
    const backups = join(data, "backups");
    for (const folder of ["before-restore-20261121T155920Z", "restore-incoming", "migrating.part-a1B2c3"])
      mkdirSync(join(backups, folder, "uploads"), { recursive: true });
    for (const name of ["before-update-0.1.0-20261121T155920Z.tar", "hearth-at-0023_name-20261121T155920Z.db"])
      writeFileSync(join(backups, name), "");
    const own = join(backups, "before-leaving.tar");
    writeFileSync(own, "");
    const left = `other files stay: ${["backups/before-leaving.tar", "notes.txt"].join(", ")}\n`;
    expect(await uninstall("--delete-data")).toMatchObject({ code: 0, stdout: expect.stringContaining(left) });
    expect(readdirSync(backups)).toEqual(["before-leaving.tar"]);

    rmSync(own);
    writeFileSync(join(data, "lock.db"), "");
    expect(await uninstall("--delete-data")).toMatchObject({ code: 0 });
    expect(readdirSync(data)).toEqual(["notes.txt"]);
  });

  it.each([
    ["y", "y\r", 0, false],
    ["Enter alone", "\r", 0, true],
    ["Ctrl-D", "\u0004", 0, true],
    ["Ctrl-C", "\u0003", 130, true],
  ])("asks on a terminal, and takes %s for what it is", async (_name, keys, due, stays) => {
    using home = temporaryFolder();
    const { data, uninstallAsked } = scene(home.path);
    const { code, output } = await uninstallAsked(keys);
    expect([code, existsSync(join(data, "hearth.db"))]).toEqual([due, stays]);
    expect(output).toMatch(stays ? /\nthe data stays in .*data\r?\n$/ : /\ndeleted Hearth's data in /);
    expect(output).not.toContain("Error");
  });

  it("does nothing where it is told both to delete the data and to keep it", async () => {
    using home = temporaryFolder();
    const { data, command, uninstall } = scene(home.path);
    expect(await uninstall("--delete-data", "--keep-data")).toMatchObject({
      code: 2,
      stderr: "hearth: --delete-data and --keep-data contradict each other; give one of them\n",
    });
    expect([command, join(data, "hearth.db")].map((file) => existsSync(file))).toEqual([true, true]);
  });

  it("removes the engine's build for the GPU, which was downloaded, whatever becomes of the data", async () => {
    using home = temporaryFolder();
    const { data, uninstall } = scene(home.path);
    const build = join(data, "gpu-engine", "1.0.0", "node_modules");
    mkdirSync(build, { recursive: true });
    expect(await uninstall()).toMatchObject({ code: 0, stdout: expect.stringContaining("GPU build") });
    expect(existsSync(join(data, "gpu-engine"))).toBe(false);
    expect(existsSync(join(data, "hearth.db"))).toBe(true);
  });

  it("removes newer versions that were downloaded, from where the updater keeps them", async () => {
    using home = temporaryFolder();
    const { uninstall } = scene(home.path);
    const config = readFileSync(new URL("../../../build/package/app-update.yml", import.meta.url), "utf8");
    const downloads = join(home.path, "cache", /^updaterCacheDirName: (.+)$/m.exec(config)?.[1] ?? "");
    mkdirSync(join(downloads, "pending"), { recursive: true });
    writeFileSync(join(downloads, "pending", "Hearth-0.2.0.deb"), "");
    expect(await uninstall()).toMatchObject({ code: 0, stdout: expect.stringContaining(downloads) });
    expect(readdirSync(join(home.path, "cache"))).toEqual([]);
  });

  it("changes nothing while Hearth runs on the data", async () => {
    using home = temporaryFolder();
    const { data, command, uninstall } = scene(home.path);
    const taken = await takeInstanceLock(data, () => ({ pid: process.pid, window: false }));
    expect(await uninstall("--delete-data")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is in use by another Hearth"),
    });
    expect([command, join(data, "hearth.db")].map((file) => existsSync(file))).toEqual([true, true]);
    await ("lock" in taken ? taken.lock.release() : undefined);
  });
});
