import { describe, expect, it } from "vitest";
import { launchHearth } from "../../support/process/launch.ts";
import { isRunning } from "../../support/process/processes.ts";

describe("npm start", () => {
  const npmStart = ["npm", "start", "--", "--headless"] as const;

  it("prepares the checkout and runs every service, until npm is told to stop", async () => {
    await using hearth = launchHearth({ command: npmStart });
    const { app } = await hearth.ready();
    expect((await fetch(`${app}/healthz`)).status).toBe(200);
    const pids = await hearth.pids();
    hearth.child.kill("SIGTERM");
    await hearth.exited;
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
  });

  it.each([
    ["headless", npmStart],
    ["in the window", npmStart.slice(0, 3) as ["npm", "start", "--"]],
  ] as const)("leaves no process and no temporary file %s when npm is killed with SIGKILL", async (_where, command) => {
    await using hearth = launchHearth({ command });
    await hearth.ready();
    const pids = await hearth.pids();
    hearth.child.kill("SIGKILL");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
  });

  it("passes on the flags: --help prints them and a bad one exits with 2", async () => {
    await using help = launchHearth({ command: npmStart, flags: ["--help"] });
    expect(await help.exited).toBe(0);
    expect(help.output()).toContain("HEARTH_APP_PORT");
    await using bad = launchHearth({ command: npmStart, flags: ["--prot"] });
    expect(await bad.exited).toBe(2);
    expect(bad.output()).toContain("hearth: unknown flag --prot; --help lists them\n");
  });
});
