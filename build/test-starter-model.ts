/** `npm run test:starter-model`: the whole training, with a model that learns next to nothing. It notes a success. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.ts";
import { ensureSystemPackages } from "./install/system-packages.ts";
import { noteTrainingTested } from "./training-note.ts";

const missing = ensureSystemPackages({ training: true });
if (missing !== undefined) console.error(missing);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/model/starter-model.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, HEARTH_TEST_TRAINING: "1" },
});
if (status === 0) noteTrainingTested();
process.exitCode = status ?? 1;
