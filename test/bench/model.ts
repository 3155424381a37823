/**
 * Hearth's model service, through HTTP, beside the bare engine and, where it is installed, llama.cpp's own server: in turns,
 * over one file of 1.1 billion random weights (620 MB), with the same window. Prints medians and ranges, and each bar with
 * "ok" or "MISS"; exits with 1 when one is missed.
 *
 * `npm run bench -- model` measures everything (about a quarter of an hour on two cores), `npm run bench -- model one-client`
 * a section. HEARTH_BENCH_ROUNDS is the number of rounds, HEARTH_BENCH_THREADS holds all sides to a number of threads,
 * HEARTH_BENCH_MODEL=small takes 85 million weights: a quick try, for which the bars were not made.
 */
import { measureBusyCore } from "./model/busy-core.ts";
import { measureFirstRequest } from "./model/first-request.ts";
import { measureFourClients } from "./model/four-clients.ts";
import { measureHttpOverhead } from "./model/http-overhead.ts";
import { measureOneClient } from "./model/one-client.ts";
import { measureDrafts } from "./model/drafts.ts";
import { measurePromptCache } from "./model/prompt-cache.ts";
import { createScene, type ModelScene } from "./model/scene.ts";

const sections: Record<string, (scene: ModelScene) => Promise<boolean>> = {
  "one-client": measureOneClient,
  "four-clients": measureFourClients,
  "busy-core": measureBusyCore,
  guesses: measureDrafts,
  "http-overhead": measureHttpOverhead,
  "first-request": measureFirstRequest,
  "prompt-cache": measurePromptCache,
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(sections);
const unknown = wanted.find((name) => !(name in sections));
if (unknown !== undefined) {
  console.error(`hearth: no section ${unknown}: ${Object.keys(sections).join(", ")}`);
  process.exit(2);
}

await using scene = createScene();
for (const name of wanted) {
  console.log(`\n${name}`);
  if ((await sections[name]?.(scene)) !== true) process.exitCode = 1;
}
