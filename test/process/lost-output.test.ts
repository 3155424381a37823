/** Output that cannot be written: the disk behind it is full, as /dev/full always is, or its reader has ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openKeyFile } from "../../server/process/keys/key-file.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const full = "/dev/full";

/** Runs a command whose output goes to a full disk, or to a reader that has ended. */
async function runWithout(output: "disk" | "reader", args: readonly string[]) {
  const stdout = output === "disk" ? openSync(full, "w") : ("pipe" as const);
  const env = plainEnvironment();
  const child = spawn(process.execPath, [builtCommand, ...args], { env, stdio: ["ignore", stdout, "pipe"] });
  child.stdout?.destroy();
  if (typeof stdout === "number") closeSync(stdout);
  const [[code], stderr] = await Promise.all([once(child, "exit"), child.stderr ? text(child.stderr) : ""]);
  return { code: code as number | null, stderr };
}

const lost = { code: 1, stderr: "hearth: the output cannot be written: no space left on device\n" };

describe.skipIf(!existsSync(full))("a command whose output a full disk takes away", () => {
  it("exits with 1, and says so in one line", async () => {
    for (const args of [["--version"], ["watch", "--help"]]) expect(await runWithout("disk", args)).toEqual(lost);
  });

  it("leaves no key that nobody has seen", async () => {
    using data = temporaryFolder();
    expect(await runWithout("disk", ["keys", "add", "k", "--data-dir", data.path])).toEqual(lost);
    expect(openKeyFile(data.path).list()).toEqual([]);
  });

  it("goes on where it runs until it is stopped", async () => {
    const command = ["sh", "-c", `exec "$0" "$@" > ${full}`, process.execPath, builtCommand, "serve"] as const;
    await using hearth = launchHearth({ command });
    await hearth.ready();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    expect(hearth.output()).toBe("");
  });
});

describe.skipIf(process.platform === "win32")("a command whose reader has ended", () => {
  it("is done, as the reader is", async () => {
    expect(await runWithout("reader", ["--help"])).toEqual({ code: 0, stderr: "" });
  });
});
