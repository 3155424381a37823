/** All that a page of the console does with models, by Ollama's API and through the application server's proxy only. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layers } from "../../support/model/model-registry.ts";
import { lines, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
let scene: PullScene;
let app: TestApp;
beforeAll(async () => {
  scene = await startPullScene();
  app = await startTestApp();
  app.addresses.model = scene.service.url;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const call = (path: string, body?: object, init: RequestInit = {}) =>
  fetch(`${app.url}/console/api/model${path}`, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    ...init,
    headers: { Authorization: `Bearer ${consoleToken}`, "content-type": "application/json" },
  });
const whole = async (path: string, body?: object): Promise<Wire> => (await call(path, body)).json();
const names = async (path: string): Promise<string[]> => (await whole(path)).models.map(({ name }: Wire) => name);

describe("the console's page of models", () => {
  it("pulls with progress, and cancels", async () => {
    const { registry } = scene;
    const { name } = registry.publish("m", [layers.model(gguf), layers.license("Take it.")]);
    const cut = Promise.withResolvers<void>();
    registry.misbehave(async ({ at, headers }, res) => {
      // The last part never comes.
      if (at !== "cdn" || headers.range?.startsWith("bytes=7") !== true) return false;
      await once(res, "close");
      cut.resolve();
      return true;
    });
    const leaving = new AbortController();
    const reply = await call("/api/pull", { model: name, insecure: true }, { signal: leaving.signal });
    const reader = reply.body?.getReader();
    let text = "";
    while (!text.includes('"completed":700000')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    leaving.abort();
    await cut.promise;
    expect(await names("/api/tags")).not.toContain(name);
    registry.misbehave(() => false);
    const all = await lines(await call("/api/pull", { model: name, insecure: true }));
    expect(all.at(-1)).toEqual({ status: "success" });
    expect(await names("/api/tags")).toContain(name);
  });

  it("shows template, parameters and licence, and whether it fits", async () => {
    const [name = ""] = await names("/api/tags");
    expect(await whole("/api/show", { model: name })).toMatchObject({
      license: "Take it.",
      template: expect.stringContaining("<|im_start|>"),
      model_info: { "general.architecture": "llama" },
    });
    expect(await whole("/api/fit", { model: name, num_ctx: 512 })).toMatchObject({ fits: true, num_ctx: 512 });
  });

  it("creates, copies, loads with progress, unloads and deletes", async () => {
    const [from] = await names("/api/tags");
    const created = await lines(await call("/api/create", { model: "mine", from, system: "Be brief." }));
    expect(created.at(-1)).toEqual({ status: "success" });
    expect((await call("/api/copy", { source: "mine", destination: "yours" })).status).toBe(200);
    const told = await lines(await call("/api/generate", { model: "yours", keep_alive: -1, progress: true }));
    expect(told.map((line) => line.load_progress ?? line.done_reason)).toEqual([0.5, "load"]);
    expect(await names("/api/ps")).toEqual(["yours:latest"]);
    expect(await whole("/api/generate", { model: "yours", keep_alive: 0 })).toMatchObject({ done_reason: "unload" });
    await expect.poll(() => names("/api/ps")).toEqual([]);
    for (const model of ["mine", "yours"])
      expect((await call("/api/delete", { model }, { method: "DELETE" })).status).toBe(200);
    expect(await names("/api/tags")).toEqual([from, "hearth-starter:latest"]);
    const gone = await call("/api/delete", { model: "mine" }, { method: "DELETE" });
    expect([gone.status, await gone.json()]).toEqual([404, { error: "model 'mine' not found" }]);
  });
});
