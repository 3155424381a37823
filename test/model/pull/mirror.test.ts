/** The setting registry_mirror: a registry that stands in for others, with the models' names as they are. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { modelSettings } from "../../../server/contract/process/model-settings.ts";
import { layers, manyBytes, startRegistry } from "../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { startModelService, lines, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

let registry: Awaited<ReturnType<typeof startRegistry>>;
let other: Awaited<ReturnType<typeof startRegistry>>;
beforeAll(async () => {
  registry = await startRegistry();
  other = await startRegistry();
  registry.publish("m", [layers.model(randomGgufBytes())]);
  const manifest = registry.manifests.get("/v2/library/m/manifests/latest") ?? Buffer.alloc(0);
  registry.manifests.set("/v2/registry.ollama.ai/library/m/manifests/latest", manifest);
  registry.manifests.set("/v2/models/hf.co/me/m/manifests/Q4_K_M", manifest);
});
beforeEach(() => {
  registry.requests.length = 0;
  other.requests.length = 0;
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const served = (mirror: string): Promise<ModelService> =>
  startModelService(createScriptedEngine(), {
    registry: {
      mirror: modelSettings.registry_mirror.parse(mirror) ?? "",
      credentials: new Map([["registry.ollama.ai", "Bearer of-the-registry"]]),
    },
  });
const pull = async (service: ModelService, model: string, body: object = {}): Promise<Wire> =>
  (await lines(await service.post("/api/pull", { model, ...body }))).at(-1);

it("is asked for models of registry.ollama.ai, which keep their names, and gets no password of it", async () => {
  await using service = await served(registry.url);
  expect(await pull(service, "m")).toEqual({ status: "success" });
  expect(registry.requests[0]?.url).toBe("/v2/library/m/manifests/latest");
  expect(registry.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  // A foreign host learns no trace.
  expect(registry.requests.every(({ headers }) => headers["traceparent"] === undefined)).toBe(true);
  expect(((await (await service.get("/api/tags")).json()) as Wire).models.map(({ name }: Wire) => name)).toContain(
    "m:latest",
  );
});

it("is not asked for models of other registries, unless it has {host}", async () => {
  await using service = await served(registry.url);
  const { name } = other.publish("n", [layers.model(manyBytes(1_000, 2))]);
  expect(await pull(service, name, { insecure: true })).toEqual({ status: "success" });
  expect([registry.requests.length, other.requests.length > 0]).toEqual([0, true]);
});

it.each([
  ["/{host}", "m", "/v2/registry.ollama.ai/library/m/manifests/latest"],
  ["/models/{host}/", "hf.co/me/m:Q4_K_M", "/v2/models/hf.co/me/m/manifests/Q4_K_M"],
])("with %s is asked for %s at %s", async (folder, model, path) => {
  await using service = await served(registry.url + folder);
  expect(await pull(service, model)).toEqual({ status: "success" });
  expect(registry.requests[0]?.url).toBe(path);
});

it("is named where it cannot be reached", async () => {
  await using service = await served("http://127.0.0.1:9");
  expect(await pull(service, "m")).toEqual({
    error: "pull model manifest: 127.0.0.1:9 refuses the connection: nothing listens there",
  });
});
