/** Every command of the pages works as it is written, and prints what the page shows. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { layers, startRegistry } from "../support/model/model-registry.ts";
import { startScriptedUpstream } from "../support/model/scripted-upstream.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth, type Launched } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { HearthCommand } from "./installed-commands.ts";
import { englishBlocks, isRun, marked, placeOf, root } from "./read-blocks.ts";
import { prints } from "./prints.ts";
import { runPage, type Place } from "./run-page.ts";

const consoleToken = "a-token-of-the-test-of-the-pages-0123456789";

/** The models that the pages pull, as a mirror of every registry: each is the starter model. */
async function startMirror() {
  const registry = await startRegistry();
  const weights = readFileSync(join(root, "server/model/starter/hearth-starter.gguf"));
  registry.publish("pulled", [layers.model(weights)]);
  const manifest = registry.manifests.get("/v2/library/pulled/manifests/latest") ?? Buffer.of();
  for (const path of ["registry.ollama.ai/library/llama3.2/manifests/1b", "hf.co/USER/REPO/manifests/Q4_K_M"])
    registry.manifests.set(`/v2/${path}`, manifest);
  return registry;
}

/** Starts Hearth by a reader's command, with the files of the pages in its data directory. */
function startHearth({ node, cli }: HearthCommand, dataDir: string, mirror: string): Launched {
  for (const { text, mark } of marked("file")) {
    const file = join(dataDir, mark?.value ?? "");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const env = { HEARTH_CONSOLE_TOKEN: consoleToken, HEARTH_REGISTRY_MIRROR: `${mirror}/{host}` };
  return launchHearth({ command: [node, cli, "serve"], dataDir, env });
}

/** The addresses and variables by which commands reach this Hearth in place of one on the default ports. */
async function placeBeside(hearth: Launched, command: HearthCommand, upstream: string): Promise<Place> {
  const { app, provider, model } = await hearth.ready();
  const [appHost, providerHost, modelHost] = [app, provider, model ?? ""].map((url) => new URL(url).host);
  return {
    command,
    addresses: {
      "127.0.0.1:3080": appHost ?? "",
      "127.0.0.1:3081": providerHost ?? "",
      "127.0.0.1:11434": modelHost ?? "",
      "gpu-box:11434": modelHost ?? "",
      "gpu.lan:11434": new URL(upstream).host,
      // The reader's own backend.
      "127.0.0.1:8080": `127.0.0.1:${String(await freePort())}`,
    },
    env: {
      HEARTH_DATA_DIR: hearth.dataDir,
      HEARTH_APP_PORT: new URL(app).port,
      HEARTH_PROVIDER_PORT: new URL(provider).port,
      HEARTH_MODEL_PORT: new URL(model ?? "").port,
    },
  };
}

/** Runs the pages' commands in a folder that is not the checkout, one page after another, beside one Hearth. */
export function testCommandsOf(pages: readonly string[], install: () => Promise<HearthCommand> | HearthCommand): void {
  const world = new AsyncDisposableStack();
  const data = world.use(temporaryFolder());
  let hearth: Launched;
  let place: Place;
  beforeAll(async () => {
    const command = await install();
    const mirror = world.use(await startMirror());
    const upstream = world.use(await startScriptedUpstream(["qwen3:32b"]));
    hearth = world.use(startHearth(command, data.path, mirror.url));
    place = await placeBeside(hearth, command, upstream.url);
  });
  afterAll(() => world.disposeAsync());

  it.each(pages)("%s: every command works, and prints what the page shows", async (page) => {
    using folder = temporaryFolder();
    const onPage = englishBlocks.filter((block) => block.page === page);
    const outputs = await runPage(onPage.filter(isRun), place, folder.path);
    for (const [at, { language, mark, text }] of onPage.entries()) {
      if (language !== "text" || mark !== undefined) continue;
      const before = onPage.slice(0, at).findLast(isRun);
      const output = before && outputs.get(placeOf(before));
      expect({ shown: text, printed: output, fits: prints(output ?? "", text) }).toMatchObject({ fits: true });
    }
  });

  it("the commands leave no fault armed and the clock at the real time", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const { app, provider } = await hearth.ready();
    const ask = async (url: string) => (await fetch(url, { headers })).json();
    expect(await ask(`${provider}/sim/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/clock`)).toMatchObject({ offset_ms: 0 });
  });
}
