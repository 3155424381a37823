/** A registry and a model service that pulls from it, with parts small enough for tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startRegistry } from "./model-registry.ts";
import { lines, startModelService, type ModelServiceOptions, type Wire } from "./model-service.ts";
import { createScriptedEngine } from "./scripted-engine.ts";

export async function startPullScene({ registry: more = {}, ...options }: ModelServiceOptions = {}) {
  /** What was waited between tries, in milliseconds; nobody really waits. */
  const pauses: number[] = [];
  const tuning = {
    minPartBytes: 50_000,
    maxPartBytes: 60_000,
    recordBytes: 10_000,
    progressMs: 5,
    delay: async (ms: number) => void pauses.push(ms),
  };
  const registry = await startRegistry();
  const service = await startModelService(createScriptedEngine(), {
    ...options,
    registry: { ...more, tuning: { ...tuning, ...more.tuning } },
  });
  const pull = (model: string, body: object = {}, init?: RequestInit) =>
    service.post("/api/pull", { model, insecure: true, ...body }, init);
  const blobFile = (digest = "") => join(service.modelsDir, "blobs", digest.replace(":", "-"));
  return {
    registry,
    service,
    pauses,
    pull,
    pullLines: async (model: string, body?: object): Promise<Wire[]> => lines(await pull(model, body)),
    /** The last line of a pull. */
    outcome: async (model: string): Promise<Wire> => (await lines(await pull(model))).at(-1),
    /** Names of the files below a folder of the store. */
    files: (folder = "blobs"): string[] => {
      const path = join(service.modelsDir, folder);
      if (!existsSync(path)) return [];
      const all = readdirSync(path, { recursive: true, withFileTypes: true });
      return all.filter((one) => one.isFile()).map(({ name }) => name);
    },
    blobFile,
    readBlob: (digest = "") => readFileSync(blobFile(digest)),
    names: async (): Promise<string[]> =>
      ((await (await service.get("/api/tags")).json()) as { models: Wire[] }).models.map(({ name }) => String(name)),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}
export type PullScene = Awaited<ReturnType<typeof startPullScene>>;
