import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLoginItem, followAutostart } from "../../../electron/desktop/login-item.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const fail = (error: unknown): never => {
  throw error;
};

describe("open at login", () => {
  it("is a file of the desktop on Linux, whose command starts the program minimised", () => {
    using folder = temporaryFolder();
    const app = { getLoginItemSettings: () => fail("asked"), setLoginItemSettings: () => fail("set") };
    const program = '/opt/My "Hearth"/100%/hearth';
    const item = createLoginItem({ platform: "linux", app, configFolder: folder.path, program });
    expect(item.isOn()).toBe(false);
    item.set(true);
    expect(item.isOn()).toBe(true);
    const entry = readFileSync(join(folder.path, "autostart", "hearth.desktop"), "utf8");
    // A program that is removed is not missed.
    expect(entry).toContain('\nTryExec=/opt/My "Hearth"/100%/hearth\n');
    expect(entry).toContain('Exec="/opt/My \\"Hearth\\"/100%%/hearth" --minimised\n');
    item.set(false);
    expect(existsSync(join(folder.path, "autostart", "hearth.desktop"))).toBe(false);
    item.set(false);
  });

  it("follows a program on Linux that an update has renamed, and keeps what the desktop has added", () => {
    using folder = temporaryFolder();
    const app = { getLoginItemSettings: () => fail("asked"), setLoginItemSettings: () => fail("set") };
    const file = join(folder.path, "autostart", "hearth.desktop");
    const named = (version: string) => join(folder.path, `$& 100% Hearth-${version}`);
    const [before, after] = [named("0.1.0"), named("0.2.0")] as const;
    for (const program of [before, after]) writeFileSync(program, "");
    followAutostart(folder.path, after);
    expect(existsSync(file)).toBe(false);
    createLoginItem({ platform: "linux", app, configFolder: folder.path, program: before }).set(true);
    const entry = `${readFileSync(file, "utf8")}X-GNOME-Autostart-enabled=false\n`;
    writeFileSync(file, entry);
    followAutostart(folder.path, after);
    expect(readFileSync(file, "utf8")).toBe(entry);
    rmSync(before);
    followAutostart(folder.path, after);
    expect(readFileSync(file, "utf8")).toBe(entry.replaceAll("0.1.0", "0.2.0"));
  });

  it.each(["Hidden=true", "X-GNOME-Autostart-enabled=false"])("is off where a Linux desktop has written %s", (line) => {
    using folder = temporaryFolder();
    const app = { getLoginItemSettings: () => fail("asked"), setLoginItemSettings: () => fail("set") };
    const item = createLoginItem({ platform: "linux", app, configFolder: folder.path, program: "/opt/hearth" });
    item.set(true);
    appendFileSync(join(folder.path, "autostart", "hearth.desktop"), `${line}\n`);
    expect(item.isOn()).toBe(false);
    item.set(true);
    expect(item.isOn()).toBe(true);
  });

  it("is off where Windows has switched it off", () => {
    let executableWillLaunchAtLogin = true;
    const app = {
      getLoginItemSettings: () => ({ openAtLogin: true, executableWillLaunchAtLogin }),
      setLoginItemSettings: () => fail("set"),
    };
    const item = createLoginItem({ platform: "win32", app, configFolder: "/nowhere", program: "/nowhere" });
    expect(item.isOn()).toBe(true);
    executableWillLaunchAtLogin = false;
    expect(item.isOn()).toBe(false);
  });

  it.each(["darwin", "win32"] as const)("is the system's own login item on %s", (platform) => {
    let kept: object = { openAtLogin: false };
    const app = {
      getLoginItemSettings: () => ({ ...(kept as { openAtLogin: boolean }), executableWillLaunchAtLogin: true }),
      setLoginItemSettings: (settings: object) => (kept = settings),
    };
    const item = createLoginItem({ platform, app, configFolder: "/nowhere", program: "/nowhere" });
    item.set(true);
    expect([item.isOn(), kept]).toEqual([true, { openAtLogin: true, args: ["--minimised"] }]);
  });
});
