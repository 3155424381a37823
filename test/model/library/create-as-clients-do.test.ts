/** Create requests as clients send them: each field of a form, retired names, and what show has printed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { layerTypes, type Manifest } from "../../../server/model/models/library/manifest.ts";
import { lines, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";

let scene: PullScene;
beforeAll(async () => {
  scene = await startPullScene({ files: { "plain.gguf": { name: "Base" } } });
});
afterAll(() => scene[Symbol.asyncDispose]());

const success = { status: "success" };
const create = async (body: object) => (await lines(await scene.service.post("/api/create", body))).at(-1);
const show = async (model: string): Promise<Wire> => (await scene.service.post("/api/show", { model })).json();

it("what is empty or null in a create request leaves that of its base, as with Ollama", async () => {
  const base = {
    template: "{% for message in messages %}{{ message.content }}{% endfor %}",
    system: "Be brief.",
    parameters: { temperature: 0.5, stop: ["<end>"] },
    messages: [{ role: "user", content: "hi" }],
  };
  expect(await create({ model: "base", from: "plain", ...base })).toEqual(success);
  const empty = { template: "", system: "", messages: [], parameters: { temperature: null, stop: null } };
  expect(await create({ model: "same", from: "base", ...empty })).toEqual(success);
  const [{ template, system, parameters, messages }, before] = [await show("same"), await show("base")];
  expect({ template, system, parameters, messages }).toEqual({
    template: base.template,
    system: base.system,
    parameters: before.parameters,
    messages: base.messages,
  });
  expect(parameters).toContain("0.5");
});

it("options of older versions are passed over, in a Modelfile and beside one", async () => {
  expect(await create({ model: "old", from: "plain", parameters: { mirostat: 2, temperature: 0.5 } })).toEqual(success);
  expect((await show("old")).parameters).toMatch(/^temperature +0\.5$/);
  expect(await create({ model: "old", from: "plain", parameters: { mirostats: 2 } })).toMatchObject({
    error: "unknown parameter 'mirostats'",
  });
});

it("a model that requires no newer Ollama than that of the API is made, by a Modelfile and without one", async () => {
  for (const requires of ["0.4.7", "v0.14.0", "0.33.0"]) {
    expect(await create({ model: "needs", from: "plain", requires }), requires).toEqual(success);
    expect(await create({ model: "needs", modelfile: `FROM plain\nREQUIRES ${requires}` })).toEqual(success);
  }
});

it("messages in parts are kept as texts, which Go's clients can read", async () => {
  const parts = ["Good ", "day"].map((text) => ({ type: "text", text }));
  const messages = [{ role: "user", content: parts }, { role: "assistant" }];
  expect(await create({ model: "parts", from: "plain", messages })).toEqual(success);
  expect((await show("parts")).messages).toEqual([
    { role: "user", content: "Good day" },
    { role: "assistant", content: "" },
  ]);
  const { layers } = JSON.parse(
    readFileSync(join(scene.service.modelsDir, "manifests/registry.ollama.ai/library/parts/latest"), "utf8"),
  ) as Manifest;
  const stored = layers.find(({ mediaType }) => mediaType === layerTypes.messages);
  expect(JSON.parse(String(scene.readBlob(stored?.digest)))).toEqual((await show("parts")).messages);
});

it("the Modelfile that show prints makes the same model again", async () => {
  const stop = ["\nUser:", 'say "x"', '"END"', "<end>", "  blanks ", "back\\slash"];
  expect(await create({ model: "first", from: "plain", parameters: { stop, temperature: 0.5 } })).toEqual(success);
  const { modelfile, parameters } = await show("first");
  const again = String(modelfile).replace(/^FROM .*$/m, "FROM first"); // as it says itself
  expect(await create({ model: "second", modelfile: again })).toEqual(success);
  expect((await show("second")).parameters).toBe(parameters);
});

it("a Go template is run at generate as it is at create, or refused with its line", async () => {
  const turn = (role: string, text: string) => `<|im_start|>${role}\n{{ ${text} }}<|im_end|>\n`;
  const template = `{{ if .System }}${turn("system", ".System")}{{ end }}{{ if .Prompt }}${turn("user", ".Prompt")}{{ end }}<|im_start|>assistant\n`;
  const ask = (given: string) =>
    scene.service.post("/api/generate", { model: "plain", prompt: "Hi", template: given, _debug_render_only: true });
  const rendered = ((await (await ask(template)).json()) as Wire)._debug_info.rendered_template;
  expect(rendered).toBe("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
  const refused = await ask("\n{{ .Prompt.Text }}");
  expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([
    400,
    `template error: the chat template of "plain" cannot render this request: line 2: can't evaluate field Text in type string`,
  ]);
});
