/** Output that cannot be written: the disk behind it is full, as /dev/full always is, or its reader has ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openKeyFile } from "../../../server/process/keys/key-file.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { sendSignal } from "../../support/process/processes.ts";
import { readWhenWritten } from "../../support/process/read-when-written.ts";
import { serviceStatuses } from "../../support/process/service-statuses.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

/** Runs its arguments in a terminal of their own, tells their process, and closes the terminal at the end of its input. */
const inTerminal = `
import os, subprocess, sys
ours, theirs = os.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True)
os.close(theirs)
print(child.pid, flush=True)
sys.stdin.read()
os.close(ours)
print("closed", flush=True)
sys.exit(child.wait())
`;

describe.skipIf(process.platform === "win32")("a command whose terminal is closed", () => {
  it("goes on, also where it has something to say", async () => {
    using data = temporaryFolder();
    const readyFile = join(data.path, "ready.json");
    const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
    const serve = [builtCommand, "serve", "--data-dir", join(data.path, "data"), "--ready-file", readyFile, ...ports];
    const terminal = spawn("python3", ["-c", inTerminal, process.execPath, ...serve], {
      env: plainEnvironment(),
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: terminal.stdout })[Symbol.asyncIterator]();
    const ended = once(terminal, "exit");
    const pid = Number((await lines.next()).value);
    try {
      const addresses = JSON.parse(await readWhenWritten(readyFile)) as ReadyFileContent;
      terminal.stdin.end();
      expect((await lines.next()).value).toBe("closed");
      const { runner } = await serviceStatuses(addresses);
      sendSignal(runner.pid, "SIGKILL"); // which is told on the terminal
      await expect.poll(async () => (await serviceStatuses(addresses)).runner.restarts).toBe(runner.restarts + 1);
      expect((await fetch(`${addresses.provider}/healthz`)).status).toBe(200);
    } finally {
      sendSignal(pid, "SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
  });
});

describe.skipIf(process.platform === "win32")("a command whose reader has ended", () => {
  it("is done, as the reader is", async () => {
    expect(await runWithout("reader", ["--help"])).toEqual({ code: 0, stderr: "" });
  });
});
