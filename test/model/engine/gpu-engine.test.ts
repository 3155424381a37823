/** A build for a GPU that does not work here: the runner says so, and serves models on the CPU. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { engineVersion } from "../../../server/contract/model/gpu-engine.ts";
import { findGpuEngine } from "../../../server/runner/gpu-engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import {
  gpuEngineFolder,
  gpuEngineLabel,
  readGpuNote,
  writeGpuNote,
} from "../../../server/process/gpu-engine-files.ts";
import { generateOn } from "../../support/model/runner-requests.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";

const system = process.platform === "win32" ? "win" : process.platform;
const never = new AbortController().signal;

/** Puts a build for Vulkan into a data directory, as a download does. `script`: what its module does when it is loaded. */
function putBuild(dataDir: string, script: string): void {
  const folder = gpuEngineFolder(dataDir);
  const place = join(folder, "node_modules/@node-llama-cpp", `${system}-x64-vulkan`);
  mkdirSync(join(place, "dist"), { recursive: true });
  const about = {
    name: `@node-llama-cpp/${system}-x64-vulkan`,
    version: engineVersion,
    type: "module",
    exports: "./dist/index.js",
  };
  writeFileSync(join(place, "package.json"), JSON.stringify(about));
  writeFileSync(join(place, "dist/index.js"), script);
  writeFileSync(gpuEngineLabel(folder), "vulkan");
}

/** The CPU's own build in the clothes of one for a GPU: it loads, and finds no GPU. */
function putDisguisedBuild(dataDir: string): void {
  const name = `${system}-x64`;
  const bins = join(import.meta.dirname, "../../../node_modules/@node-llama-cpp", name, "bins", name);
  const to = join(gpuEngineFolder(dataDir), "node_modules/@node-llama-cpp", `${name}-vulkan`, "bins", `${name}-vulkan`);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(bins, to, { recursive: true });
  putBuild(
    dataDir,
    `export const getBinsDir = () => ({ binsDir: ${JSON.stringify(dirname(to))}, packageVersion: "${engineVersion}" });`,
  );
}

/** Whether a model is loaded and answers. */
async function answers({ socketPath, dataDir }: RunnerProcess): Promise<boolean> {
  const path = join(dataDir, "tiny.gguf");
  writeRandomGguf(path);
  const engine = createRunnerEngine({ socketPath });
  try {
    const model = await engine.load({ path, num_ctx: 512 }, never);
    return (await generateOn(model, { window: 512 })).text !== "";
  } finally {
    engine.close();
  }
}

describe.runIf(process.arch === "x64" && process.platform !== "darwin")("a build of the engine for a GPU", () => {
  it("that finds no GPU is given up with the reason, and models run on the CPU", async () => {
    await using runner = await startRunner(putDisguisedBuild);
    expect(await answers(runner)).toBe(true);
    expect(readGpuNote(runner.dataDir)).toMatchObject({
      kind: "vulkan",
      state: "failed",
      reason: expect.stringMatching(/\S/),
    });
  });

  it("that ends two runners as it is loaded is not tried by the next one, which runs models on the CPU", async () => {
    await using runner = await startRunner((dataDir) => putBuild(dataDir, "process.kill(process.pid, 'SIGKILL');"));
    for (const ended of [undefined, true]) {
      await expect.poll(() => readGpuNote(runner.dataDir)).toEqual({ kind: "vulkan", state: "trying", ended });
      await runner.kill();
      await runner.start();
    }
    expect(await answers(runner)).toBe(true);
    expect(readGpuNote(runner.dataDir)).toMatchObject({
      kind: "vulkan",
      state: "crashed",
      reason: expect.stringContaining("ended"),
    });
    // Nor by any later one, until a person asks.
    await runner.kill();
    await runner.start();
    expect(await answers(runner)).toBe(true);
  });

  it.each([
    ["is given up after a second end in a row, whatever was started between", "start", undefined],
    ["is used on where a model has been loaded between two ends", "load", "vulkan"],
  ] as const)("whose load a runner's end breaks off %s", async (_what, between, kept) => {
    using folder = temporaryFolder();
    putBuild(folder.path, "");
    const endsInLoad = () =>
      void findGpuEngine(folder.path, quietLog).guard("load", () => Promise.withResolvers().promise);
    endsInLoad();
    const second = findGpuEngine(folder.path, quietLog);
    expect(second.kind()).toBe("vulkan");
    await second.guard(between, async () => undefined);
    endsInLoad();
    expect(findGpuEngine(folder.path, quietLog).kind()).toBe(kept);
  });

  it("of another version of the engine does not count", async () => {
    await using runner = await startRunner((dataDir) => {
      mkdirSync(join(dirname(gpuEngineFolder(dataDir)), "1.0.0"), { recursive: true });
      writeGpuNote(dataDir, { kind: "vulkan", state: "used" });
    });
    expect(await answers(runner)).toBe(true);
    expect(readGpuNote(runner.dataDir)?.state).toBe("used");
  });
});
