import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { layers, startRegistry, type ModelRegistry } from "../support/model-registry.ts";
import { lines, startModelService, type ModelService, type Wire } from "../support/model-service.ts";
import { randomGgufBytes } from "../support/random-gguf.ts";
import { createScriptedEngine } from "../support/scripted-engine.ts";

let registry: ModelRegistry;
let service: ModelService;
let gguf: Buffer;
const pauses: number[] = [];
const tuning = {
  minPartBytes: 50_000,
  maxPartBytes: 60_000,
  recordBytes: 10_000,
  stallMs: 400,
  progressMs: 5,
  delay: async (ms: number) => void pauses.push(ms),
};
beforeAll(async () => {
  gguf = randomGgufBytes({ name: "Pulled" });
});
beforeEach(async () => {
  pauses.length = 0;
  registry = await startRegistry();
  service = await startModelService(createScriptedEngine(), { registry: { tuning } });
  return async () => {
    await service[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  };
});

const pull = (model: string, more: object = {}) => service.post("/api/pull", { model, insecure: true, ...more });
const pullLines = async (model: string, more?: object): Promise<Wire[]> => lines(await pull(model, more));
const files = (folder: string): string[] =>
  existsSync(join(service.modelsDir, folder))
    ? readdirSync(join(service.modelsDir, folder), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map(({ name }) => name)
    : [];
const blobFile = (digest = "") => join(service.modelsDir, "blobs", digest.replace(":", "-"));

describe("POST /api/pull", () => {
  it("fetches a model in parts from where the registry redirects to, and the model can be used", async () => {
    const { name, digests } = registry.publish("m", [
      layers.model(gguf),
      layers.system("Be brief."),
      layers.params({ temperature: 0.25, stop: ["<end>"] }),
    ]);
    const all = await pullLines(name);
    expect(all[0]).toEqual({ status: "pulling manifest" });
    expect(all.slice(-3)).toEqual([
      { status: "verifying sha256 digest" },
      { status: "writing manifest" },
      { status: "success" },
    ]);
    for (const digest of digests) {
      const own = all.filter((line) => line.digest === digest);
      expect(own.at(-1)).toEqual({
        status: `pulling ${digest.slice(7, 19)}`,
        digest,
        total: registry.blobs.get(digest)?.length,
        completed: registry.blobs.get(digest)?.length,
      });
      const steps = own.map(({ completed = 0 }) => Number(completed));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      expect(readFileSync(blobFile(digest))).toEqual(registry.blobs.get(digest));
    }
    expect(all.some((line) => line.completed === 0)).toBe(false);
    expect(registry.partRequests(digests[0] ?? "").length).toBeGreaterThan(5);
    expect(files("blobs").toSorted()).toEqual(digests.map((one) => one.replace(":", "-")).toSorted());
    const shown = await (await service.post("/api/show", { model: name })).json();
    expect(shown).toMatchObject({
      system: "Be brief.",
      parameters: expect.stringContaining("0.25"),
      details: { family: "llama" },
    });
  });
});
