/** Programs of the system are the system's, whatever a clone's folder has of that name. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findTray } from "../../../electron/desktop/find-tray.ts";
import { openBrowser, openerOf } from "../../../server/cli/open-browser.ts";
import { createUserPath } from "../../../server/process/installation/user-path.ts";
import { askToStop } from "../../../server/process/lifetime/ask-to-stop.ts";
import { leaveOutWorkingDirectory, windowsProgram } from "../../../server/process/system-programs.ts";
import { patienceMs } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Programs that note by which name, with which arguments and where they were started, in a folder of the path. */
function programs(...names: string[]) {
  const folder = temporaryFolder();
  const bin = join(folder.path, "bin");
  const file = join(folder.path, "started");
  mkdirSync(bin);
  for (const name of names)
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "\${0##*/}" "$*" "$(pwd)" > '${file}'\n`, {
      mode: 0o755,
    });
  return {
    bin,
    started: () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Windows, whose programs lie under their full names in a folder of the path, beside a clone's with bare names. */
function windows(path: string) {
  const full = `D:\\Win\\System32\\${path}`;
  const name = path.split("\\").at(-1) ?? "";
  const at = programs(full, name, name.replace(".exe", ""));
  vi.stubEnv("SystemRoot", "D:\\Win");
  vi.stubEnv("PATH", `${at.bin}${delimiter}/bin${delimiter}/usr/bin`);
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  return { ...at, full };
}

describe.runIf(process.platform !== "win32")("on Windows, the folder of the system supplies", () => {
  it("the program that opens the browser", async () => {
    using at = windows("rundll32.exe");
    expect(await openBrowser("http://localhost:3000/")).toBe(true);
    await expect.poll(at.started).toEqual([at.full, "url.dll,FileProtocolHandler http://localhost:3000/", "/"]);
  });

  it("the program that ends processes", () => {
    using at = windows("taskkill.exe");
    askToStop({ pid: 7, connected: false, disconnect: () => undefined, kill: () => true });
    expect(at.started().slice(0, 2)).toEqual([at.full, "/pid 7 /t /f"]);
  });

  it("the program that changes the user's path", () => {
    using at = windows("WindowsPowerShell\\v1.0\\powershell.exe");
    createUserPath().add("C:\\x");
    expect(at.started()[0]).toBe(at.full);
  });
});

it("The folder of Windows is the usual one where its variable names no absolute path", () => {
  for (const folder of [undefined, "", ".", "Windows", "\\Windows", "\\\\server\\share"])
    expect(windowsProgram("a.exe", { SystemRoot: folder })).toBe("C:\\Windows\\System32\\a.exe");
  expect(windowsProgram("a.exe", { SystemRoot: "d:\\win" })).toBe("d:\\win\\System32\\a.exe");
});

describe.runIf(process.platform === "linux")("on Linux, relative entries of the path supply", () => {
  it("no program that opens the browser, which is started outside the working directory", async () => {
    using clones = programs("xdg-open");
    using systems = programs("xdg-open");
    const inFolder = relative(process.cwd(), clones.bin);
    vi.stubEnv("PATH", [inFolder, "", "."].join(delimiter));
    expect(openerOf()).toBeUndefined();
    expect(await openBrowser("http://localhost:3000/")).toBe(false);
    vi.stubEnv("PATH", [inFolder, systems.bin, "/bin"].join(delimiter));
    expect(await openBrowser("http://localhost:3000/")).toBe(true);
    await expect.poll(systems.started).toEqual(["xdg-open", "http://localhost:3000/", "/"]);
    expect(clones.started()).toEqual([]);
  });

  it("no program that asks for the tray", async () => {
    using clones = programs("gdbus");
    const env = { PATH: relative(process.cwd(), clones.bin), DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
    expect(await findTray("linux", env, patienceMs)).toBe(undefined);
    expect(clones.started()).toEqual([]);
  });

  it("no installer of an update", () => {
    const env = { PATH: [".", "/usr/bin", "", "bin", "/bin"].join(delimiter) };
    leaveOutWorkingDirectory(env);
    expect(env).toEqual({ PATH: "/usr/bin:/bin", NoDefaultCurrentDirectoryInExePath: "1" });
  });
});
