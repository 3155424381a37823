import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder that `await using` removes with all it holds. */
export async function temporaryFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "hearth-test-")));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
