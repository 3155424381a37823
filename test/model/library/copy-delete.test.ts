import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptPromptsFolder, promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { digestOf } from "../../support/model/model-registry.ts";
import { refusal, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { thirdParty } from "../../support/third-party.ts";

const gguf = randomGgufBytes({ name: "Base" });
const digest = digestOf(gguf);

let scene: PullScene;
let client: Wire;
beforeEach(async () => {
  scene = await startPullScene({ files: { "plain.gguf": { name: "Base" } } });
  const { Ollama } = await thirdParty("ollama");
  client = new Ollama({ host: scene.service.url });
});
afterEach(() => scene[Symbol.asyncDispose]());

const show = async (model: string): Promise<Wire> => (await scene.service.post("/api/show", { model })).json();

describe("POST /api/copy and DELETE /api/delete", () => {
  it("give a model a second name and take names away, and blobs go with the last one", async () => {
    await client.create({ model: "one", from: "plain", system: "s" });
    const stored = scene.files().length;
    const copied = await scene.service.post("/api/copy", { source: "ONE", destination: "me/two:x" });
    expect([copied.status, copied.headers.get("content-length")]).toEqual([200, "0"]);
    expect(await scene.names()).toEqual(expect.arrayContaining(["one:latest", "me/two:x"]));
    expect(await client.delete({ model: "one" })).toEqual({ status: "success" });
    expect(scene.files()).toHaveLength(stored);
    expect((await show("me/two:x")).system).toBe("s");
    await client.delete({ model: "me/two:x" });
    expect(scene.files()).toEqual([]);
    expect(scene.files("manifests")).toEqual([]);
  });

  it("take the kept states of prompts with them, as does a model that replaces another", async () => {
    const root = promptCacheRoot(join(scene.service.modelsDir, ".."));
    const keep = (bytes: Buffer) => {
      const folder = keptPromptsFolder(root, digestOf(bytes).replace(":", "-"));
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const upload = async (bytes: Buffer) => {
      const body = bytes as Uint8Array<ArrayBuffer>;
      expect((await scene.service.post(`/api/blobs/${digestOf(bytes)}`, undefined, { body })).status).toBe(201);
      return { "a.gguf": digestOf(bytes) };
    };
    const next = randomGgufBytes({ name: "Next" });
    await scene.service.post("/api/create", { model: "one", files: await upload(gguf), stream: false });
    const [first, second] = [keep(gguf), keep(next)];
    await scene.service.post("/api/create", { model: "one", files: { "a.gguf": digest }, system: "s", stream: false });
    expect([first, second].map((folder) => existsSync(folder))).toEqual([true, true]);
    await scene.service.post("/api/create", { model: "one", files: await upload(next), stream: false });
    expect([first, second].map((folder) => existsSync(folder))).toEqual([false, true]);
    await client.delete({ model: "one" });
    expect(existsSync(second)).toBe(false);
  });

  it("leave weights loaded that another name has, and unload them with the last one", async () => {
    await client.create({ model: "one", from: "plain" });
    await client.copy({ source: "one", destination: "two" });
    await client.generate({ model: "one", prompt: "", keep_alive: -1 });
    const loaded = async () => (await client.ps()).models.map(({ name }: Wire) => name);
    await client.delete({ model: "two" });
    expect(await loaded()).toEqual(["one:latest"]);
    await client.delete({ model: "one" });
    expect(await loaded()).toEqual([]);
  });

  it("delete a model once, however many ask for it at the same time: the others get 404", async () => {
    await client.create({ model: "one", from: "plain" });
    const init = { method: "DELETE", body: '{"model":"one"}' };
    const replies = await Promise.all(Array.from({ length: 64 }, () => scene.service.get("/api/delete", init)));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(63);
    for (const one of refused) expect(await refusal(one)).toEqual([404, "model 'one' not found"]);
    expect(scene.files()).toEqual([]);
  });

  it("copy a plain file into the store, and leave the file alone", async () => {
    await client.copy({ source: "plain", destination: "stored" });
    expect(scene.readBlob(digest)).toEqual(gguf);
    expect(
      await refusal(await scene.service.get("/api/delete", { method: "DELETE", body: '{"name":"plain"}' })),
    ).toEqual([403, expect.stringContaining("plain.gguf, which this server must not change")]);
    expect(existsSync(join(scene.service.modelsDir, "plain.gguf"))).toBe(true);
  });

  it.each([
    ["/api/copy", { source: "a//b", destination: "x" }, 400, 'source "a//b" is invalid'],
    ["/api/copy", { source: "plain", destination: "" }, 400, 'destination "" is invalid'],
    ["/api/copy", { source: "nobody", destination: "x" }, 404, 'model "nobody" not found'],
    ["/api/delete", {}, 400, "model is required"],
    ["/api/delete", { model: "a//b" }, 400, 'name "a//b" is invalid'],
    ["/api/delete", { model: "nobody" }, 404, "model 'nobody' not found"],
  ])("refuse: %s %j", async (path, body, status, text) => {
    const method = path === "/api/delete" ? "DELETE" : "POST";
    expect(await refusal(await scene.service.get(path, { method, body: JSON.stringify(body) }))).toEqual([
      status,
      text,
    ]);
  });

  it("do nothing when both names are one", async () => {
    await client.create({ model: "one", from: "plain" });
    expect((await scene.service.post("/api/copy", { source: "one", destination: "ONE:latest" })).status).toBe(200);
    expect(await scene.names()).toContain("one:latest");
  });

  it("and create and pull are refused for the name of a file of the setting model, before anything is done", async () => {
    const extraFile = scene.service.modelsDir;
    await using other = await startPullScene({ extraFile });
    const { post } = other.service;
    const refused = [403, expect.stringMatching(/^model '.+' is served from .+plain\.gguf, .+: use another name$/)];
    for (const model of ["plain", "PLAIN:latest"]) {
      expect(await refusal(await post("/api/create", { model, from: "hearth-starter", system: "s" }))).toEqual(refused);
      expect(await refusal(await post("/api/pull", { model }))).toEqual(refused);
      expect(await refusal(await post("/api/copy", { source: "hearth-starter", destination: model }))).toEqual(refused);
    }
    expect(other.files()).toEqual([]);
    await client.create({ model: "one", from: "plain" });
    await client.copy({ source: "one", destination: "plain" });
    expect((await show("plain")).details.parent_model).toBe("plain:latest");
  });
});
