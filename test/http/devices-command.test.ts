/** `hearth devices` asks the Hearth that runs on its data directory. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { devicesCommand } from "../../server/cli/devices/devices-command.ts";
import { takeInstanceLock } from "../../server/supervisor/data-directory/instance-lock.ts";
import { callFrom } from "../support/app/lan-caller.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("lets everybody in who is on the network until it is told to let devices in without", async () => {
  using folder = temporaryFolder();
  await using app = await startTestApp();
  const taken = await takeInstanceLock(folder.path, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new Error("the data directory is taken");
  const console = `${app.url}/console/?token=${consoleToken}`;
  writeFileSync(join(folder.path, "run.json"), JSON.stringify({ pid: process.pid, console }));
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const statusAfter = async (...args: string[]) => {
      await devicesCommand(["on", ...args], { HEARTH_DATA_DIR: folder.path }, folder.path);
      return (await callFrom({ port: app.port, path: "/api/articles" })).status;
    };
    expect(await statusAfter("--everyone")).toBe(401);
    expect(await statusAfter()).toBe(403);
  } finally {
    print.mockRestore();
    await taken.lock.release();
  }
});
