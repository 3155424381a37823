import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

/** What `hearth exec` has the system start for a command line, on a Windows whose path is the folder. */
function startedOnWindows(folder: string, command: string, ...args: string[]): Started {
  const crossSpawn = createRequire(import.meta.url).resolve("cross-spawn");
  const script = `Object.defineProperty(process, "platform", { value: "win32" });
    const { command, args } = require(${JSON.stringify(crossSpawn)})._parse(...JSON.parse(process.argv[1]));
    console.log(JSON.stringify({ command, args }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, JSON.stringify([command, args])], {
    encoding: "utf8",
    env: { PATH: folder, PATHEXT: ".EXE;.CMD", comspec: "cmd.exe" },
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Started;
}

describe("the command of hearth exec on Windows", () => {
  it("is started by the shell where it is a script, as npm is, with what it is given as text", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "npm.CMD"), "");
    const { command, args } = startedOnWindows(folder.path, "npm", "run", "a b", "x & del y", "%PATH%");
    expect(command).toBe("cmd.exe");
    expect(args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
    // A caret takes from the shell's characters what they mean.
    expect(args[3]).toContain("^&");
    expect(args[3]).toContain("^%PATH^%");
    expect(args[3]?.replaceAll("^", "")).toBe('"npm "run" "a b" "x & del y" "%PATH%""');
  });

  it("is started itself where it is a program", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "node.EXE"), "");
    expect(startedOnWindows(folder.path, "node", "a & b")).toEqual({ command: "node", args: ["a & b"] });
  });
});
