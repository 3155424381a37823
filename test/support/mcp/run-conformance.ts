import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runScript } from "../process/run-command.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/**
 * Runs all scenarios of the protocol's own suite against a server.
 * @param failures the scenarios that are expected to fail
 * @returns code 0 when exactly these fail
 */
export async function runConformance(url: string, failures: readonly string[]) {
  using folder = temporaryFolder();
  const expected = join(folder.path, "expected.yaml");
  writeFileSync(expected, JSON.stringify({ server: failures }));
  const args = ["server", "--url", url, "--suite", "all", "--expected-failures", expected];
  return await runScript(program, args, {}, folder.path);
}
