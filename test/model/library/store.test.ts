import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Tags } from "../../../server/contract/model/ollama.ts";
import { layerTypes } from "../../../server/model/models/library/manifest.ts";
import { parseModelfile } from "../../../server/model/models/create/parse-modelfile.ts";
import { digestOf, layers } from "../../support/model/model-registry.ts";
import { refusal, startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { startPullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes, writeRandomGguf } from "../../support/model/random-gguf.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { putManifest, putModel } from "../../support/model/stored-model.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const gguf = randomGgufBytes({ name: "Stored" });
const library = "registry.ollama.ai/library";

let folder: ReturnType<typeof temporaryFolder>;
let ollama: string;
const engine = createScriptedEngine();
beforeEach(() => {
  folder = temporaryFolder();
  ollama = join(folder.path, "ollama");
});
afterEach(() => folder[Symbol.dispose]());

const start = (writable = false) => startModelService(engine, { ollamaStore: { dir: ollama, writable } });
const tags = async ({ get }: ModelService): Promise<Wire[]> => ((await (await get("/api/tags")).json()) as Wire).models;
const names = async (service: ModelService) => (await tags(service)).map(({ name }) => String(name)).toSorted();
const show = async ({ post }: ModelService, model: string): Promise<Wire> =>
  (await post("/api/show", { model })).json();
const remove = ({ get }: ModelService, model: string) =>
  get("/api/delete", { method: "DELETE", body: JSON.stringify({ model }) });

/** Everything below the folder, as names and sizes. */
const contentOf = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

describe("an existing Ollama store", () => {
  it("is served in place: templates, system, parameters, messages, licences, details", async () => {
    putModel(
      ollama,
      `${library}/llama3.2/3b`,
      [
        layers.model(gguf),
        layers.template("{{ if .System }}{{ .System }}{{ end }}"),
        layers.system("Be brief."),
        layers.license("A"),
        layers.license("B"),
        layers.params({ stop: ["<a>", "<b>"], temperature: 0.6 }),
        layers.messages([{ role: "user", content: [{ type: "text", text: "hi" }] }]),
      ],
      { model_format: "gguf", model_family: "llama", model_families: null, model_type: "3.2B", file_type: "Q4_K_M" },
    );
    putModel(ollama, "hf.co/me/M-GGUF/Q4_K_M", [layers.model(gguf)]);
    await using service = await start();
    expect(await names(service)).toEqual(["hearth-starter:latest", "hf.co/me/M-GGUF:Q4_K_M", "llama3.2:3b"]);
    expect((await tags(service)).find(({ name }) => name === "llama3.2:3b").details).toMatchObject({
      family: "llama",
      families: null,
      parameter_size: "3.2B",
      quantization_level: "Q4_K_M",
    });
    const shown = await show(service, "LLAMA3.2:3B");
    expect(shown).toMatchObject({
      system: "Be brief.",
      license: "A\nB",
      messages: [{ role: "user", content: "hi" }],
      parameters: expect.stringMatching(/"<a>"\nstop +"<b>"\n?/),
      template: "{{ if .System }}{{ .System }}{{ end }}",
    });
    const chat = await service.post("/api/generate", { model: "llama3.2:3b", prompt: "" });
    expect(chat.status).toBe(200);
  });

  it("is never changed: what is deleted or pruned is in our own store only", async () => {
    putModel(ollama, `${library}/theirs/latest`, [layers.model(gguf), layers.system("theirs")]);
    writeFileSync(join(ollama, "blobs", `sha256-${"a".repeat(64)}`), "an orphan");
    const before = contentOf(ollama);
    await using service = await start();
    expect(await refusal(await remove(service, "theirs"))).toEqual([
      403,
      expect.stringContaining("which this server must not change"),
    ]);
    await service.post("/api/copy", { source: "theirs", destination: "ours" });
    await service.post("/api/create", { model: "theirs", from: "theirs", system: "ours", stream: false });
    expect((await show(service, "theirs")).system).toBe("ours");
    expect((await remove(service, "theirs")).status).toBe(200);
    expect((await show(service, "theirs")).system).toBe("theirs");
    expect(contentOf(ollama)).toEqual(before);
    rmSync(ollama, { recursive: true });
    expect((await show(service, "ours")).system).toBe("theirs");
  });

  it("tells in its Modelfile a Go template that is in use, so that the model made by it can chat", async () => {
    const bytes = randomGgufBytes({ chatTemplate: null });
    const template = "<|im_start|>user\n{{ .Prompt }}<|im_end|>\n<|im_start|>assistant\n";
    putModel(ollama, `${library}/old/latest`, [layers.model(bytes), layers.template(template)]);
    putModel(ollama, `${library}/new/latest`, [layers.model(gguf), layers.template(template)]);
    await using service = await start(true);
    const said = parseModelfile((await show(service, "old")).modelfile);
    expect(said.template).toBe(template);
    const files = { "a.gguf": digestOf(bytes) };
    await service.post("/api/create", { model: "again", files, template: said.template, stream: false });
    const chat = { model: "again", messages: [{ role: "user", content: "hi" }], stream: false };
    expect((await service.post("/api/chat", chat)).status).toBe(200);
    expect(parseModelfile((await show(service, "new")).modelfile).template).toBe(template);
  });

  it("has models whose Go template has words of its own, or only the prompt, which both can chat", async () => {
    const bytes = randomGgufBytes({ chatTemplate: null });
    const messages = [{ role: "user", content: "hi" }];
    for (const [name, template] of [
      ["base", "{{ .Prompt }}"],
      ["own", "You are a pirate. {{ .Prompt }}"],
    ] as const)
      putModel(ollama, `${library}/${name}/latest`, [layers.model(bytes), layers.template(template)]);
    await using service = await start();
    const prompt = async (model: string) => {
      const reply = await service.post("/api/chat", { model, messages, _debug_render_only: true });
      return ((await reply.json()) as Wire)._debug_info.rendered_template;
    };
    expect([await prompt("base"), await prompt("own")]).toEqual(["hi", "You are a pirate. hi"]);
  });

  it("gives its blobs to a pull, which then asks for no bytes of them", async () => {
    putModel(ollama, `${library}/theirs/latest`, [layers.model(gguf)]);
    await using scene = await startPullScene({ ollamaStore: { dir: ollama, writable: false } });
    const { name, digests } = scene.registry.publish("m", [layers.model(gguf), layers.system("new")]);
    expect(await scene.outcome(name)).toEqual({ status: "success" });
    expect(scene.readBlob(digests[0])).toEqual(gguf);
    expect(scene.registry.requests.filter(({ url }) => url.endsWith(digests[0] ?? ""))).toEqual([]);
    expect(await names(scene.service)).toContain("theirs:latest");
  });

  it("is changed where the setting allows it, and shared blobs stay", async () => {
    putModel(ollama, `${library}/one/latest`, [layers.model(gguf), layers.system("x")]);
    putModel(ollama, `${library}/two/latest`, [layers.model(gguf)]);
    await using service = await start(true);
    expect((await remove(service, "one")).status).toBe(200);
    expect(await names(service)).toEqual(["hearth-starter:latest", "two:latest"]);
    expect(readdirSync(join(ollama, "blobs"))).toHaveLength(2);
    await service.post("/api/create", { model: "three", from: "two", system: "y", stream: false });
    expect(existsSync(join(ollama, "manifests", library, "three/latest"))).toBe(true);
  });

  it("may hold blobs that are links, hidden files, and models that are no GGUF", async () => {
    const { layers: stored } = putModel(ollama, `${library}/linked/latest`, [layers.model(gguf)]);
    const blob = join(ollama, "blobs", String(stored[0]?.digest).replace(":", "-"));
    rmSync(blob);
    writeFileSync(join(folder.path, "elsewhere"), gguf);
    symlinkSync(join(folder.path, "elsewhere"), blob);
    putManifest(ollama, `${library}/linked/.hidden`, Buffer.from("{}"));
    putModel(ollama, `${library}/mlx/latest`, [{ mediaType: layerTypes.tensor, bytes: Buffer.from("t") }], {
      model_format: "safetensors",
    });
    const adapter = { mediaType: layerTypes.adapter, bytes: Buffer.from("GGUF") };
    putModel(ollama, `${library}/tuned/latest`, [layers.model(gguf), adapter]);
    await using service = await start();
    expect(await names(service)).toEqual(["hearth-starter:latest", "linked:latest", "mlx:latest", "tuned:latest"]);
    expect((await show(service, "tuned")).warnings).toEqual(["adapters (LoRA) are not supported"]);
    expect((await show(service, "mlx")).warnings).toEqual([expect.stringContaining("safetensors")]);
    const chat = await service.post("/api/chat", { model: "mlx", messages: [{ role: "user", content: "hi" }] });
    expect(await refusal(chat)).toEqual([
      400,
      expect.stringContaining('"mlx" cannot be run: its weights are safetensors'),
    ]);
  });

  it("gives no other name to a model that lacks a blob, nor makes a new one of it", async () => {
    const adapter = { mediaType: layerTypes.adapter, bytes: Buffer.from("GGUF") };
    const { layers: stored } = putModel(ollama, `${library}/cut/latest`, [layers.model(gguf), adapter]);
    const digest = String(stored[1]?.digest);
    rmSync(join(ollama, "blobs", digest.replace(":", "-")));
    await using service = await start(true);
    const missing = [404, `blob "${digest}" of the model not found`];
    expect(await refusal(await service.post("/api/copy", { source: "cut", destination: "a" }))).toEqual(missing);
    const created = await service.post("/api/create", { model: "b", from: "cut", system: "x", stream: false });
    expect(await refusal(created)).toEqual(missing);
    expect(await names(service)).toEqual(["cut:latest", "hearth-starter:latest"]);
  });
});

describe("POST /api/show and GET /api/tags", () => {
  it("warn when the memory is less than the guidance for a model of that size", async () => {
    putModel(ollama, `${library}/m/latest`, [layers.model(gguf)], { model_type: "33B" });
    const shownWith = async (gigabytes: number) => {
      const registry = { totalMemory: gigabytes * 2 ** 30 };
      await using service = await startModelService(engine, {
        ollamaStore: { dir: ollama, writable: false },
        registry,
      });
      const { warnings } = await show(service, "m");
      const { models } = (await (await service.get("/api/tags")).json()) as Tags;
      expect(models.find(({ name }) => name === "m:latest")?.warnings).toEqual(warnings);
      return warnings;
    };
    expect(await shownWith(16)).toEqual([
      "a model of 33B parameters needs at least 32 GB of memory; this machine has 16.0 GB",
    ]);
    expect(await shownWith(31)).toBeUndefined();
  });
});

describe("a GGUF in several parts", () => {
  const part = (count: number, no: number) =>
    [
      { key: "split.no", type: "uint32", value: no },
      { key: "split.count", type: "uint32", value: count },
    ] as const;

  it("is one model, named without the number of the part, as large as all of them", async () => {
    await using service = await start();
    const file = (no: number) => join(service.modelsDir, `Big-0000${String(no)}-of-00002.gguf`);
    writeRandomGguf(file(1), { extraMetadata: part(2, 0) });
    expect(await names(service)).toEqual(["hearth-starter:latest"]);
    writeRandomGguf(file(2), { extraMetadata: part(2, 1) });
    const big = (await tags(service)).find(({ name }) => name === "Big:latest");
    expect(big).toMatchObject({ details: { parameter_size: "345K" } });
    expect(big.size).toBe(readFileSync(file(1)).length + readFileSync(file(2)).length);
  });
});
