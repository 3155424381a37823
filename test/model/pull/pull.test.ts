import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, layers } from "../../support/model/model-registry.ts";
import { refusal, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { thirdParty } from "../../support/third-party.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
const onDisk = (digest: string) => digest.replace(":", "-");

let scene: PullScene;
beforeEach(async () => {
  scene = await startPullScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

describe("POST /api/pull", () => {
  it("tells of a model that has arrived, and of none that has not", async () => {
    const told: string[] = [];
    await using own = await startPullScene({ deliverEvent: (type, model) => told.push(`${type} ${model}`) });
    const { name } = own.registry.publish("m", [layers.model(gguf)]);
    expect(await own.outcome(name.replace("/m", "/none"))).toHaveProperty("error");
    expect(told).toEqual([]);
    expect(await own.outcome(name)).toEqual({ status: "success" });
    expect(told).toEqual([expect.stringMatching(/^model[.]pulled .*m:latest$/)]);
  });

  it("takes a suffix :local for nothing, as every route does", async () => {
    const { name } = scene.registry.publish("m", [layers.model(gguf)]);
    expect(await scene.outcome(`${name}:local`)).toEqual({ status: "success" });
    const shown = await Promise.all(
      [name, `${name}:local`].map(async (model) => (await scene.service.post("/api/show", { model })).status),
    );
    expect(shown).toEqual([200, 200]);
  });

  it("fetches a model in parts from where the registry redirects to, and the model can be used", async () => {
    const { registry, service } = scene;
    const { name, digests } = registry.publish("m", [
      layers.model(gguf),
      layers.system("Be brief."),
      layers.params({ temperature: 0.25, stop: ["<end>"] }),
    ]);
    const all = await scene.pullLines(name);
    expect(all[0]).toEqual({ status: "pulling manifest" });
    expect(all.slice(-3)).toEqual([
      { status: "verifying sha256 digest" },
      { status: "writing manifest" },
      { status: "success" },
    ]);
    const order = all.flatMap(({ digest }) => (digest === undefined ? [] : [String(digest)]));
    expect([...new Set(order)]).toEqual(digests);
    for (const digest of digests) {
      const own = all.filter((line) => line.digest === digest);
      const total = registry.blobs.get(digest)?.length;
      expect(own.at(-1)).toEqual({ status: `pulling ${digest.slice(7, 19)}`, digest, total, completed: total });
      const steps = own.map(({ completed = 0 }) => Number(completed));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      expect(scene.readBlob(digest)).toEqual(registry.blobs.get(digest));
    }
    expect(all.some((line) => line.completed === 0)).toBe(false);
    expect(registry.partRequests(digests[0] ?? "").length).toBeGreaterThan(5);
    expect(scene.files().toSorted()).toEqual(digests.map(onDisk).toSorted());
    const shown = await (await service.post("/api/show", { model: name })).json();
    expect(shown).toMatchObject({ system: "Be brief.", parameters: expect.stringContaining("0.25") });
  });

  it("keeps the manifest as the registry has it, byte for byte, and its hash is the model's digest", async () => {
    const { registry, service } = scene;
    const { name } = registry.publish("m:x", [layers.model(gguf)]);
    await scene.pullLines(name);
    const bytes = readFileSync(join(service.modelsDir, "manifests", registry.host, "library/m/x"));
    expect(bytes).toEqual(registry.manifests.get("/v2/library/m/manifests/x"));
    const { models } = (await (await service.get("/api/tags")).json()) as Wire;
    const config = JSON.parse(bytes.toString("utf8")).config.size as number;
    expect(models.find((one: Wire) => one.name === name)).toMatchObject({
      digest: digestOf(bytes).slice(7),
      size: gguf.length + config,
    });
  });

  it("answers stream:false with how it ended, and gets on with the npm client", async () => {
    const { name } = scene.registry.publish("m", [layers.model(gguf)]);
    const { Ollama } = await thirdParty("ollama");
    const client = new Ollama({ host: scene.service.url });
    expect(await client.pull({ model: name, insecure: true })).toEqual({ status: "success" });
    const statuses: string[] = [];
    for await (const { status } of await client.pull({ model: name, insecure: true, stream: true }))
      statuses.push(status);
    expect(statuses.at(-1)).toBe("success");
    await expect(client.pull({ model: `${scene.registry.host}/library/no`, insecure: true })).rejects.toMatchObject({
      status_code: 500,
      message: "pull model manifest: file does not exist",
    });
  });

  it("says of blobs that are there already that they are, and asks for none of them", async () => {
    const { name, digests } = scene.registry.publish("m", [layers.model(gguf)]);
    await scene.pullLines(name);
    scene.registry.requests.length = 0;
    const all = await scene.pullLines(name);
    expect(all.filter(({ digest }) => digest === digests[0])).toHaveLength(1);
    expect(scene.registry.requests.map(({ url }) => url)).toEqual(["/v2/library/m/manifests/latest"]);
  });

  it("replaces an old version by a new one, and removes only unshared blobs", async () => {
    const shared = layers.license("free");
    const { registry } = scene;
    const first = registry.publish("m", [layers.model(gguf), shared, layers.system("one")]);
    await scene.pullLines(first.name);
    const other = registry.publish("other", [layers.model(gguf), shared]);
    await scene.pullLines(other.name);
    const second = registry.publish("m", [layers.model(randomGgufBytes({ seed: 2 })), layers.system("two")]);
    const all = await scene.pullLines(second.name);
    expect(all.map(({ status }) => status).slice(-2)).toEqual(["removing unused layers", "success"]);
    const kept = new Set([...other.digests, ...second.digests].map(onDisk));
    expect(scene.files().toSorted()).toEqual([...kept].toSorted());
  });

  it("stores a name in the spelling that is on the disk already", async () => {
    scene.registry.publish("Big", [layers.model(gguf)]);
    scene.registry.publish("big", [layers.model(gguf), layers.system("new")]);
    await scene.pullLines(`${scene.registry.host}/library/Big`);
    await scene.pullLines(`${scene.registry.host}/library/big`);
    expect((await scene.names()).filter((name) => /big/i.test(name))).toEqual([
      `${scene.registry.host}/library/Big:latest`,
    ]);
  });

  it("shares one download between all who want the blob", async () => {
    const { registry } = scene;
    const one = registry.publish("one", [layers.model(gguf)]);
    const two = registry.publish("two", [layers.model(gguf), layers.system("x")]);
    const all = await Promise.all([one, two, one].map(({ name }) => scene.outcome(name)));
    expect(all).toEqual(Array.from({ length: 3 }, () => ({ status: "success" })));
    const ranges = registry.partRequests(one.digests[0] ?? "").filter(({ at }) => at === "cdn");
    expect(new Set(ranges.map(({ headers }) => headers.range)).size).toBe(ranges.length);
  });

  it("stops fetching when the client goes, keeps what came, and goes on from there the next time", async () => {
    const { registry } = scene;
    const { name, digests } = registry.publish("m", [layers.model(gguf)]);
    const [digest = ""] = digests;
    const cut = Promise.withResolvers<void>();
    registry.misbehave(async ({ at, headers }, res) => {
      // The last part never comes.
      if (at !== "cdn" || headers.range?.startsWith("bytes=7") !== true) return false;
      await once(res, "close");
      cut.resolve();
      return true;
    });
    const leaving = new AbortController();
    const reply = await scene.pull(name, {}, { signal: leaving.signal });
    const reader = reply.body?.getReader();
    let text = "";
    while (!text.includes('"completed":700000')) {
      const { value } = (await reader?.read()) ?? {};
      text += Buffer.from(value ?? []).toString();
    }
    leaving.abort();
    await cut.promise;
    registry.misbehave(() => false);
    registry.requests.length = 0;
    expect(await scene.outcome(name)).toEqual({ status: "success" });
    const again = registry.partRequests(digest).filter(({ at }) => at === "cdn");
    expect(again.map(({ headers }) => headers.range)).toEqual([`bytes=700000-${String(gguf.length - 1)}`]);
    expect(scene.readBlob(digest)).toEqual(gguf);
    expect(scene.files().filter((file) => file.includes("partial"))).toEqual([]);
  });

  it("goes on while one of two clients stays", async () => {
    const { registry } = scene;
    const { name } = registry.publish("m", [layers.model(gguf)]);
    const held = Promise.withResolvers<void>();
    registry.misbehave(async ({ at }) => {
      if (at === "cdn") await held.promise;
      return false;
    });
    const leaving = new AbortController();
    const staying = scene.outcome(name);
    const left = await scene.pull(name, {}, { signal: leaving.signal });
    await expect.poll(() => registry.requests.some(({ at }) => at === "cdn")).toBe(true);
    leaving.abort();
    await left.text().catch(() => undefined);
    held.resolve();
    expect(await staying).toEqual({ status: "success" });
  });

  it("warns when the memory is less than the guidance for a model of that size", async () => {
    await using small = await startPullScene({ registry: { totalMemory: 8 * 2 ** 30 } });
    const { name } = small.registry.publish("m", [layers.model(gguf)], { config: { model_type: "13.0B" } });
    const statuses = (await small.pullLines(name)).map(({ status }) => status);
    expect(statuses).toContain(
      "warning: a model of 13B parameters needs at least 16 GB of memory; this machine has 8.0 GB",
    );
    expect(statuses.at(-1)).toBe("success");
  });

  it("refuses before the first byte when the disk has no room, with the numbers", async () => {
    await using full = await startPullScene({ registry: { freeBytes: async () => 1_000 } });
    const { name } = full.registry.publish("m", [layers.model(gguf)]);
    expect((await full.outcome(name)).error).toBe(
      `not enough disk space: ${name} needs 706.9 KB more, but only 1.0 KB are free in ${full.service.modelsDir}`,
    );
    expect(full.registry.requests.filter(({ url }) => url.includes("blobs"))).toEqual([]);
  });

  it("is over when the service has stopped: nothing is written afterwards", async () => {
    const entered = Promise.withResolvers<void>();
    let isOver = false;
    const slowDisk = async () => {
      entered.resolve();
      await wait(200);
      isOver = true;
      return Infinity;
    };
    const slow = await startPullScene({ registry: { freeBytes: slowDisk } });
    const { name } = slow.registry.publish("m", [layers.model(gguf)]);
    const pulled = slow.outcome(name).catch(() => "cut off");
    await entered.promise;
    await slow[Symbol.asyncDispose]();
    expect(isOver).toBe(true);
    expect(await pulled).toBe("cut off");
  });

  it.each([
    ["no name", {}, 400, "invalid model name"],
    ["a name that cannot be one", { model: "a//b" }, 400, "invalid model name"],
    ["a name that climbs", { model: "../../x/y" }, 400, "invalid model name"],
    ["http without insecure", { model: "http://127.0.0.1:9/a/b" }, 500, "insecure protocol http"],
  ])("refuses %s", async (_what, body, status, text) => {
    expect(await refusal(await scene.service.post("/api/pull", body))).toEqual([status, text]);
  });

  it("says after the first line that the registry has no such model, with status 200", async () => {
    const reply = await scene.pull(`${scene.registry.host}/library/none`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe(
      '{"status":"pulling manifest"}\n{"error":"pull model manifest: file does not exist"}\n',
    );
  });

  it("finishes an empty blob, too", async () => {
    const { name } = scene.registry.publish("m", [layers.model(gguf), layers.license("")]);
    expect(await scene.outcome(name)).toEqual({ status: "success" });
  });
});

describe("POST /api/push", () => {
  it("is refused with 501, since nothing is published", async () => {
    expect((await scene.service.post("/api/push", { model: "x" })).status).toBe(501);
    expect(await refusal(await scene.service.post("/api/push", {}))).toEqual([400, "model is required"]);
  });
});
