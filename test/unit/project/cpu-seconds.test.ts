import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { cpuSeconds } from "../../../build/processes/cpu-seconds.ts";

const burn = "const { user } = process.cpuUsage(); while (process.cpuUsage().user - user < 300_000);";

it.runIf(process.platform === "linux")("CPU seconds include those of a child's child that has ended", () => {
  const before = cpuSeconds() ?? NaN;
  const script = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`;
  expect(spawnSync(process.execPath, ["-e", script]).status).toBe(0);
  expect((cpuSeconds() ?? NaN) - before).toBeGreaterThanOrEqual(0.3);
});
