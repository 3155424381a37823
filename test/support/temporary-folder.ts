import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder for one test, removed by `using`. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "hearth-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Lets every user pass through a temporary folder and its parents, which are for their owner alone. */
export function letThrough(folder: string): void {
  for (let path = folder; path.startsWith(tmpdir()) && path !== "/tmp"; path = dirname(path)) chmodSync(path, 0o755);
}
