/** `npm run test:postgres`: all HTTP tests on PostgreSQL; `-- FILES` runs some of them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.ts";
import { ensureSystemPackages } from "./install/system-packages.ts";

const missing = ensureSystemPackages();
if (missing !== undefined) console.error(missing);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "postgres", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, HEARTH_TEST_POSTGRES: "all" },
});
process.exitCode = status ?? 1;
