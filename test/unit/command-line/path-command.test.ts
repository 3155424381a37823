import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findPathCommand,
  followPathCommand,
  ForeignCommandError,
  installPathCommand,
  isKnownAsHearth,
  removePathCommand,
  type PathCommandSystem,
} from "../../../server/process/installation/path-command.ts";
import { createUserPath } from "../../../server/process/installation/user-path.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A system with a home in the folder; `path`: what is on the user's path, there too. */
function systemOf(platform: NodeJS.Platform, folder: string, path: readonly string[] = []) {
  const registry: string[] = [];
  const system: PathCommandSystem = {
    platform,
    home: join(folder, "home"),
    env: { LOCALAPPDATA: join(folder, "local"), PATH: path.join(platform === "win32" ? ";" : ":") },
    userPath: {
      add: (one) => void registry.push(one),
      remove: (one) => void registry.splice(registry.indexOf(one), 1),
    },
    sharedBin: join(folder, "shared"),
  };
  return { system, registry, ownBin: join(folder, "home", ".local", "bin") };
}

describe("the desktop program's command on the path", () => {
  it("starts the program with its arguments as they are, wherever the program lies", () => {
    using folder = temporaryFolder();
    const program = join(folder.path, "it's 炉 $HOME", "hearth");
    mkdirSync(dirname(program));
    writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$@"');
    chmodSync(program, 0o755);
    const { system } = systemOf("linux", folder.path);
    const { file } = installPathCommand(program, system);
    expect(execFileSync(file, ["token", "a b", "$x", "'"], { encoding: "utf8" })).toBe("token|a b|$x|'|");
  });

  it("lies in the user's own folder on Linux, and says whether a terminal finds it there", () => {
    using folder = temporaryFolder();
    const { system, ownBin } = systemOf("linux", folder.path);
    expect(installPathCommand("/opt/hearth", system)).toEqual({ file: join(ownBin, "hearth"), onPath: false });
    const { system: withPath } = systemOf("linux", folder.path, ["/bin", ownBin]);
    expect(installPathCommand("/opt/hearth", withPath)).toMatchObject({ onPath: true });
  });

  it("lies in the folder of all users on macOS where that can be written, else in the user's own", () => {
    using folder = temporaryFolder();
    const { system, ownBin } = systemOf("darwin", folder.path);
    expect(installPathCommand("/Applications/Hearth", system).file).toBe(join(ownBin, "hearth"));
    removePathCommand(system);
    mkdirSync(join(folder.path, "shared"));
    expect(installPathCommand("/Applications/Hearth", system).file).toBe(join(folder.path, "shared", "hearth"));
  });

  it("is a script for the console of Windows, whose folder gets on the user's path", () => {
    using folder = temporaryFolder();
    const { system, registry } = systemOf("win32", folder.path);
    const { file, onPath } = installPathCommand("C:\\100% Ärger\\Hearth.exe", system);
    expect(file).toBe(join(folder.path, "local", "Hearth", "bin", "hearth.cmd"));
    expect(readFileSync(file, "utf8")).toMatch(/^@echo off\r\nrem [^\r\n]+\r\n"C:\\100%% Ärger\\Hearth\.exe" %\*\r\n$/);
    expect([onPath, registry]).toEqual([true, [dirname(file)]]);
    removePathCommand(system);
    expect([existsSync(file), registry]).toEqual([false, []]);
  });

  it("names the user's folder on Windows by its variable: the console may not know its letters", () => {
    using folder = temporaryFolder();
    const { system } = systemOf("win32", folder.path);
    const { file } = installPathCommand(`${join(folder.path, "local")}\\Programs\\Hearth.exe`, system);
    expect(readFileSync(file, "utf8")).toContain('"%LOCALAPPDATA%\\Programs\\Hearth.exe" %*');
  });

  it("is made anew for a program that has moved, and is gone when it is removed", () => {
    using folder = temporaryFolder();
    const { system } = systemOf("linux", folder.path);
    expect(findPathCommand(system)).toBeUndefined();
    const { file } = installPathCommand("/old/hearth", system);
    expect(installPathCommand("/new/hearth", system).file).toBe(file);
    expect(readFileSync(file, "utf8")).toContain("/new/hearth");
    expect(findPathCommand(system)).toBe(file);
    expect(removePathCommand(system)).toEqual([file]);
    expect(removePathCommand(system)).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it.each(["linux", "win32"] as const)("follows a program that an update has renamed on %s", (platform) => {
    using folder = temporaryFolder();
    const { system } = systemOf(platform, folder.path);
    const named = (version: string) => join(folder.path, "local", `it's 100% Hearth-${version}`);
    const [before, after] = [named("0.1.0"), named("0.2.0")] as const;
    mkdirSync(join(folder.path, "local"));
    for (const program of [before, after]) writeFileSync(program, "");
    followPathCommand(after, system);
    expect(findPathCommand(system)).toBeUndefined();
    const { file } = installPathCommand(before, system);
    const made = readFileSync(file, "utf8");
    followPathCommand(after, system);
    expect(readFileSync(file, "utf8")).toBe(made);
    rmSync(before);
    followPathCommand(after, system);
    expect(readFileSync(file, "utf8")).toBe(made.replace("0.1.0", "0.2.0"));
    if (platform === "linux") expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  it("makes the program known as hearth, as does a link that its package brought", () => {
    using folder = temporaryFolder();
    const [bin, program] = [join(folder.path, "bin"), join(folder.path, "program")];
    writeFileSync(program, "");
    const { system, ownBin } = systemOf("linux", folder.path, [bin, join(folder.path, "home", ".local", "bin")]);
    expect(isKnownAsHearth(program, system)).toBe(false);
    installPathCommand("/another/hearth", system);
    expect(isKnownAsHearth(program, system)).toBe(false);
    installPathCommand(program, system);
    expect(isKnownAsHearth(program, system)).toBe(true);
    rmSync(join(ownBin, "hearth"));
    mkdirSync(bin);
    symlinkSync(program, join(bin, "hearth"));
    expect(isKnownAsHearth(program, system)).toBe(true);
  });

  it("leaves a command alone that Hearth has not made, such as that of npm install -g", () => {
    using folder = temporaryFolder();
    const { system, ownBin } = systemOf("linux", folder.path);
    const foreign = join(ownBin, "hearth");
    mkdirSync(ownBin, { recursive: true });
    writeFileSync(foreign, "#!/usr/bin/env node\n");
    expect(() => installPathCommand("/opt/hearth", system)).toThrow(ForeignCommandError);
    expect(removePathCommand(system)).toEqual([]);
    expect(readFileSync(foreign, "utf8")).toBe("#!/usr/bin/env node\n");
    rmSync(foreign);
    mkdirSync(foreign);
    expect(() => installPathCommand("/opt/hearth", system)).toThrow(ForeignCommandError);
  });
});

describe("the user's path in the registry of Windows", () => {
  it("is changed by a script that gets the folder by a variable, and takes it out before it adds it", () => {
    const runs: { script: string; folder: string | undefined }[] = [];
    const path = createUserPath((script, { HEARTH_FOLDER: folder }) => void runs.push({ script, folder }));
    path.add("C:\\it's");
    path.remove("C:\\it's");
    expect(runs.map(({ folder }) => folder)).toEqual(["C:\\it's", "C:\\it's"]);
    for (const { script } of runs) {
      expect(script).not.toContain("it's");
      expect(script).toContain("-ne $env:HEARTH_FOLDER");
      expect(script).toContain("DoNotExpandEnvironmentNames");
    }
    expect(runs.map(({ script }) => script.includes("+ $env:HEARTH_FOLDER"))).toEqual([true, false]);
  });
});
