/** Once before all tests: a folder for what test files share, removed after the last. Its variable is inherited by their processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const runFolderVariable = "HEARTH_TEST_RUN_FOLDER";

export default function makeRunFolder(): (() => void) | undefined {
  // Each project of the tests calls this.
  if (process.env[runFolderVariable] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "hearth-test-run-"));
  process.env[runFolderVariable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
