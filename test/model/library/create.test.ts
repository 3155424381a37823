import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, layers } from "../../support/model/model-registry.ts";
import { lines, refusal, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { thirdParty } from "../../support/third-party.ts";

const gguf = randomGgufBytes({ name: "Base" });
const digest = digestOf(gguf);
const absent = `sha256:${"0".repeat(64)}`;

let scene: PullScene;
let client: Wire;
beforeEach(async () => {
  scene = await startPullScene({ files: { "plain.gguf": { name: "Base" } } });
  const { Ollama } = await thirdParty("ollama");
  client = new Ollama({ host: scene.service.url });
});
afterEach(() => scene[Symbol.asyncDispose]());

const upload = (bytes: Buffer, name = digestOf(bytes)) =>
  scene.service.get(`/api/blobs/${name}`, { method: "POST", body: new Uint8Array(bytes) });
const create = (body: object) => scene.service.post("/api/create", body);
const made = async (body: object): Promise<Wire[]> => lines(await create(body));
const show = async (model: string): Promise<Wire> => (await scene.service.post("/api/show", { model })).json();

describe("POST /api/blobs/:digest", () => {
  it("stores a blob once: 201, then 200 without looking at the body", async () => {
    const head = () => scene.service.get(`/api/blobs/${digest}`, { method: "HEAD" });
    expect((await head()).status).toBe(404);
    expect((await upload(gguf)).status).toBe(201);
    expect((await head()).status).toBe(200);
    expect(scene.readBlob(digest)).toEqual(gguf);
    expect((await upload(Buffer.from("something else"), digest)).status).toBe(200);
    expect(scene.readBlob(digest)).toEqual(gguf);
    expect((await upload(gguf, digest.toUpperCase().replace("SHA256:", "sha256-"))).status).toBe(200);
  });

  it("refuses content that does not match its digest, and stores none of it", async () => {
    expect(await refusal(await upload(gguf, absent))).toEqual([
      400,
      `digest mismatch, expected "${absent}", got "${digest}"`,
    ]);
    expect(scene.files()).toEqual([]);
  });

  it.each(["sha256:00", "md5:abc", `sha256:${"g".repeat(64)}`, "..%2F..%2Fetc"])(
    "refuses the digest %s",
    async (name) => {
      expect(await refusal(await upload(gguf, name))).toEqual([400, "invalid digest format"]);
    },
  );

  it("stores nothing of an upload that is interrupted", async () => {
    const breaksOff = Promise.withResolvers<void>();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(gguf.subarray(0, 100_000)));
        void breaksOff.promise.then(() => controller.error(new Error("gone")));
      },
    });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    const uploaded = scene.service.get(`/api/blobs/${digest}`, init);
    uploaded.catch(() => undefined);
    await expect.poll(() => scene.files()).toHaveLength(1);
    breaksOff.resolve();
    await expect(uploaded).rejects.toThrow();
    await expect.poll(() => scene.files()).toEqual([]);
  });
});

describe("POST /api/create", () => {
  it("makes a model of an uploaded file, with everything that a Modelfile can say", async () => {
    await upload(gguf);
    const all = await made({
      model: "Mine",
      files: { "weights.gguf": digest },
      template: "{% for message in messages %}{{ message.content }}{% endfor %}",
      system: "Be brief.",
      license: ["free", "really"],
      parameters: { temperature: 0.5, stop: ["<end>"] },
      messages: [{ role: "user", content: "hi" }],
    });
    const statuses = all.map(({ status }) => String(status));
    expect(statuses[0]).toBe("parsing GGUF");
    expect(statuses[1]).toBe(`using existing layer ${digest}`);
    expect(statuses.filter((status) => status.startsWith("creating new layer sha256:"))).toHaveLength(7);
    expect(statuses.slice(-2)).toEqual(["writing manifest", "success"]);
    expect(await show("mine")).toMatchObject({
      template: "{% for message in messages %}{{ message.content }}{% endfor %}",
      system: "Be brief.",
      license: "free\nreally",
      parameters: `temperature                    0.5\nstop                           "<end>"`,
      messages: [{ role: "user", content: "hi" }],
      details: { format: "gguf", family: "llama", parameter_size: "172K", quantization_level: "F32" },
    });
    const manifest = readFileSync(join(scene.service.modelsDir, "manifests/registry.ollama.ai/library/Mine/latest"));
    const { models } = (await (await scene.service.get("/api/tags")).json()) as Wire;
    expect(models.find((one: Wire) => one.name === "Mine:latest").digest).toBe(
      createHash("sha256").update(manifest).digest("hex"),
    );
    expect(JSON.parse(manifest.toString()).layers[0]).toEqual({
      mediaType: "application/vnd.ollama.image.model",
      digest,
      size: gguf.length,
    });
  });

  it("begins with another model: parameters lie over, texts replace, licences add up, messages stay", async () => {
    await upload(gguf);
    const base = {
      system: "one",
      license: "a",
      parameters: { top_k: 1, seed: 2 },
      messages: [{ role: "user", content: "x" }],
    };
    await made({ model: "base", files: { "a.gguf": digest }, ...base });
    await made({ model: "next:v2", from: "BASE", system: "two", license: "b", parameters: { seed: 3, stop: "!" } });
    const shown = await show("next:v2");
    expect(shown).toMatchObject({
      system: "two",
      license: "a\nb",
      messages: [{ content: "x" }],
      details: { parent_model: "base:latest" },
    });
    expect(shown.parameters.split("\n").map((line: string) => line.replace(/ +/, " "))).toEqual([
      "top_k 1",
      "seed 3",
      'stop "!"',
    ]);
    expect(shown.model_info["general.architecture"]).toBe("llama");
  });

  it("begins with a plain file, whose content it copies", async () => {
    expect(await client.create({ model: "from-plain", from: "plain", system: "s" })).toEqual({ status: "success" });
    expect(scene.readBlob(digest)).toEqual(gguf);
    expect((await show("from-plain")).system).toBe("s");
  });

  it("takes the text of a Modelfile, which a page that cannot read it sends, and names the line that is wrong", async () => {
    const modelfile = 'FROM plain\nPARAMETER temperature 0.5\nPARAMETER stop "<end>"\nSYSTEM """Be\nbrief."""\n';
    expect((await made({ model: "of-text", modelfile })).at(-1)).toEqual({ status: "success" });
    expect(await show("of-text")).toMatchObject({
      system: "Be\nbrief.",
      parameters: `temperature                    0.5\nstop                           "<end>"`,
    });
    expect(await refusal(await create({ model: "x", modelfile: "FROM plain\nPARAMETER top_k many" }))).toEqual([
      400,
      expect.stringMatching(/^modelfile: .line 2.: invalid int value "many" for top_k/),
    ]);
    expect(await refusal(await create({ model: "x", modelfile: "FROM a\nFROM b" }))).toEqual([
      400,
      "modelfile: only one FROM line can name a model",
    ]);
  });

  it("pulls a base that is not installed, and shows how that goes on", async () => {
    const { name } = scene.registry.publish("m", [layers.model(gguf)]);
    await scene.pullLines(name);
    expect((await made({ model: "x", from: name })).at(-1)).toEqual({ status: "success" });
    const missing = await made({ model: "x", from: "127.0.0.1:1/library/none" });
    expect(missing[0]).toEqual({ status: "pulling manifest" });
    expect(missing.at(-1).error).toMatch(/^pull model manifest: /);
  });

  it.each([
    ["no name", {}, "invalid model name"],
    ["a name that cannot be one", { model: "a/../b" }, "invalid model name"],
    ["a base that cannot be one", { model: "x", from: "a//b" }, "invalid model name"],
    ["nothing to begin with", { model: "x" }, "neither 'from' or 'files' was specified"],
    ["an adapter", { model: "x", from: "plain", adapters: { a: absent } }, "adapters is not supported by this server"],
    ["a quantisation", { model: "x", from: "plain", quantize: "q4_0" }, "quantize is not supported by this server"],
    ["a newer Ollama", { model: "x", from: "plain", requires: "0.100.0" }, "the model requires Ollama 0.100.0, and"],
    ["a newer Ollama in a Modelfile", { model: "x", modelfile: "FROM plain\nREQUIRES 1" }, "requires Ollama 1, and"],
    ["a version that is none", { model: "x", from: "plain", requires: "new" }, "requires must be a version such as"],
    ["an unknown renderer", { model: "x", from: "plain", renderer: "r" }, 'the renderer "r" is not supported'],
    ["an unknown parser", { model: "x", modelfile: "FROM plain\nPARSER p" }, 'the parser "p" is not supported'],
    ["an absolute path", { model: "x", files: { "/a.gguf": absent } }, "file path must be relative"],
    ["a path that climbs", { model: "x", files: { "../a.gguf": absent } }, "file path must be relative"],
    ["a bad digest", { model: "x", files: { "a.gguf": "sha256:1" } }, "invalid digest format"],
    ["safetensors", { model: "x", files: { "a.safetensors": absent } }, "safetensors are not supported: convert"],
    ["a blob that is not there", { model: "x", files: { "a.gguf": absent } }, `blob "${absent}" not found`],
    ["an unknown parameter", { model: "x", from: "plain", parameters: { foo: 1 } }, "unknown parameter 'foo'"],
    [
      "a wrong type",
      { model: "x", from: "plain", parameters: { top_k: "1" } },
      'option "top_k" must be of type integer',
    ],
    ...[
      { content: "", images: ["aGk="] },
      { content: [{ type: "image_url", image_url: "data:;base64,aGk=" }] },
      { role: "assistant", tool_calls: [{ function: { name: "f", arguments: {} } }] },
    ].map((message): [string, object, string] => [
      `a message with ${Object.keys(message).join(" and ")}`,
      { model: "x", from: "plain", messages: [{ role: "user", ...message }] },
      "a message of a model can have text only",
    ]),
    ["an unknown role", { model: "x", from: "plain", messages: [{ role: "x", content: "" }] }, "message role must be"],
    [
      "a broken Go template",
      { model: "x", from: "plain", template: "{{ if .System }}" },
      "template error: line 1: unexpected end of template",
    ],
    [
      "a Go template with an unknown function",
      { model: "x", from: "plain", template: "\n{{ trim .Prompt }}" },
      'template error: line 2: function "trim" not defined',
    ],
    ["a broken template", { model: "x", from: "plain", template: "{% if %}" }, "template error: "],
  ])("refuses %s with 400 before the first line", async (_what, body, text) => {
    const [status, error] = await refusal(await create(body));
    expect([status, error]).toEqual([400, expect.stringContaining(text)]);
    expect(existsSync(join(scene.service.modelsDir, "manifests"))).toBe(false);
  });

  it("refuses a file that is no GGUF, or a damaged one", async () => {
    const text = Buffer.from("this is text");
    await upload(text);
    expect(await refusal(await create({ model: "x", files: { "a.gguf": digestOf(text) } }))).toEqual([
      400,
      "supplied file was not in GGUF format",
    ]);
    const cut = gguf.subarray(0, 5_000);
    await upload(cut);
    const [status, error] = await refusal(await create({ model: "x", files: { "a.gguf": digestOf(cut) } }));
    expect([status, error]).toEqual([400, expect.stringContaining("a.gguf is not a valid GGUF file")]);
  });
});
