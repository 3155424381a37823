import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const everything = "test/**/*.test.ts";
const inTheWindow = "test/e2e/**/*.test.ts";
const units = "test/unit/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: "test/support/set-up-display.ts",
    // Real processes, real windows and a real model on two busy cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 50 } },
    allowOnly: false,
    // Most tests wait for processes, sockets and watchers: a second one beside them fills the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // They leave nothing behind in their process, so that one after another may run in it: half of their time is its start.
      { extends: true, test: { name: "unit", include: [units], isolate: false } },
      {
        extends: true,
        test: { name: "services", include: [everything], exclude: ["**/node_modules/**", units, inTheWindow] },
      },
      // A window is painted by a machine that also runs everything else: one second try, which the report names.
      { extends: true, test: { name: "window", include: [inTheWindow], retry: process.env["CI"] ? 1 : 0 } },
    ],
  },
});
