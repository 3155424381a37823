import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installPathCommand } from "../../server/process/installation/path-command.ts";
import { takeInstanceLock } from "../../server/supervisor/data-directory/instance-lock.ts";
import { noteVersion } from "../../server/supervisor/data-directory/data-version.ts";
import { runCommand } from "../support/process/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A home with the command on its path, and a data directory with a file of somebody else in it. */
function scene(home: string) {
  const data = join(home, "data");
  for (const folder of ["uploads", "models"]) mkdirSync(join(data, folder), { recursive: true });
  for (const file of ["lock.db", "hearth.db", "hearth.db-wal", "uploads/a", "notes.txt"])
    writeFileSync(join(data, file), "");
  noteVersion(data, "0.1.0");
  const userPath = { add: () => undefined, remove: () => undefined };
  const { file } = installPathCommand("/opt/hearth", { platform: "linux", home, env: {}, userPath });
  const uninstall = (...flags: string[]) =>
    runCommand(["uninstall", "--data-dir", data, ...flags], { HOME: home, XDG_DATA_HOME: join(home, "other") });
  return { data, command: file, uninstall };
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

  it("deletes the data when told to, and nothing else in that folder", async () => {
    using home = temporaryFolder();
    const { data, uninstall } = scene(home.path);
    expect(await uninstall("--delete-data")).toMatchObject({ code: 0, stdout: expect.stringContaining("notes.txt") });
    expect(readdirSync(data)).toEqual(["notes.txt"]);
  });

  it("removes the engine's build for the GPU, which was downloaded, whatever becomes of the data", async () => {
    using home = temporaryFolder();
    const { data, uninstall } = scene(home.path);
    const build = join(data, "gpu-engine", "1.0.0", "node_modules");
    mkdirSync(build, { recursive: true });
    expect(await uninstall()).toMatchObject({ code: 0, stdout: expect.stringContaining("build for the GPU") });
    expect(existsSync(join(data, "gpu-engine"))).toBe(false);
    expect(existsSync(join(data, "hearth.db"))).toBe(true);
  });

  it("changes nothing while Hearth runs on the data", async () => {
    using home = temporaryFolder();
    const { data, command, uninstall } = scene(home.path);
    const taken = await takeInstanceLock(data, () => ({ pid: process.pid, window: false }));
    expect(await uninstall("--delete-data")).toMatchObject({ code: 1, stderr: expect.stringContaining("already") });
    expect([command, join(data, "hearth.db")].map((file) => existsSync(file))).toEqual([true, true]);
    await ("lock" in taken ? taken.lock.release() : undefined);
  });
});
