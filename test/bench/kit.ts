/**
 * The package `hearthkit`: what it takes where npm has installed it, what one instance without the model takes beside
 * `emulate`, and sixteen instances side by side.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Kit from "../../server/kit/start-hearth.ts";
import { installPackage, installedMb, packTo } from "../support/process/npm-package.ts";
import { threeCommands } from "../support/process/three-commands.ts";
import { measureProcesses } from "./kit-processes.ts";
import { atMost } from "./statistics.ts";

const sideBySide = 16;
const bars = { installedMb: 30, threeCommandsSeconds: 60, sideBySideMs: 4_000 };

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
try {
  const project = await installPackage(folder);
  const results = [atMost("installed, in MB", installedMb(join(project, "node_modules")), bars.installedMb)];
  const { seconds } = await threeCommands(await packTo(folder), folder);
  results.push(atMost("empty folder to a green payment test, in s", seconds, bars.threeCommandsSeconds));

  results.push(...(await measureProcesses(project)));

  const kit = pathToFileURL(join(project, "node_modules/hearthkit/dist/kit.js")).href;
  const { startHearth } = (await import(kit)) as typeof Kit;
  const startedAt = performance.now();
  const instances = await Promise.all(Array.from({ length: sideBySide }, () => startHearth({ model: false })));
  const sideBySideMs = performance.now() - startedAt;
  results.push(atMost(`${sideBySide} instances side by side are ready, in ms`, sideBySideMs, bars.sideBySideMs));
  const answers = await Promise.all(
    instances.map(async (hearth, index) => {
      const phone = await hearth.phone("ada");
      await phone.request("POST", "/api/articles", { title: String(index) });
      const { body } = await phone.request<{ data: { title: string }[] }>("GET", "/api/articles");
      return body.data.map(({ title }) => title).join();
    }),
  );
  await Promise.all(instances.map((hearth) => hearth.stop()));
  const apart = answers.filter((titles, index) => titles === String(index)).length;
  console.log(`${apart === sideBySide ? "ok  " : "MISS"} each holds its own article: ${apart} of ${sideBySide}`);
  if (results.includes(false) || apart < sideBySide) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
