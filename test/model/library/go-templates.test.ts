/** Models with templates of Go, and with names of prompt and answer forms, as Ollama's have. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layers } from "../../support/model/model-registry.ts";
import { refusal, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";

const tools = [
  {
    type: "function",
    function: { name: "f", parameters: { type: "object", properties: { a: { type: "integer" } } } },
  },
];
/** Knows tools and thoughts. */
const jinja =
  "{% for m in messages %}{{ m.role }}:{{ m.content }}{% for c in m.tool_calls %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %};{% endfor %}" +
  "{% if tools %}{{ tools | tojson }}{% endif %}<think></think>";

let scene: PullScene;
beforeEach(async () => {
  scene = await startPullScene({
    files: {
      "plain.gguf": {},
      "bare.gguf": { chatTemplate: null },
      "able.gguf": { chatTemplate: jinja },
    },
  });
});
afterEach(() => scene[Symbol.asyncDispose]());

const create = (body: object) =>
  scene.service.post("/api/create", { model: "made", from: "plain", stream: false, ...body });
const show = async (model = "made"): Promise<Wire> => (await scene.service.post("/api/show", { model })).json();
async function promptOf(path: string, body: object): Promise<string> {
  const reply = await scene.service.post(path, { model: "made", _debug_render_only: true, ...body });
  return ((await reply.json()) as Wire)._debug_info?.rendered_template;
}
const user = (content: string) => ({ role: "user", content });

describe("a model with a Go template", () => {
  it.each([
    ["does not show a system message without a place", "[INST] {{ .Prompt }} [/INST]", "S", "[INST] P [/INST]"],
    [
      "keeps the blanks of its template",
      "{{ if .System }}{{ .System }}\n{{ end }}USER: {{ .Prompt }}\nASSISTANT: {{ .Response }}",
      "",
      "USER: P\nASSISTANT: ",
    ],
    ["has words of its own", "Be a pirate. {{ .Prompt }} ## {{ .Response }}</s>", "S", "Be a pirate. P ## "],
  ])("%s", async (_what, template, system, text) => {
    expect((await create({ template })).status).toBe(200);
    expect((await show()).template).toBe(template);
    expect(await promptOf("/api/generate", { prompt: "P", system })).toBe(text);
    const messages = [...(system === "" ? [] : [{ role: "system", content: system }]), user("P")];
    expect(await promptOf("/api/chat", { messages })).toBe(text);
  });

  it("gets tools, calls and results, and supports tools where its calls are known", async () => {
    const template =
      "{{ if .Tools }}<tools>{{ .Tools }}</tools>{{ end }}{{ range .Messages }}{{ .Role }}:{{ .Content }}" +
      '{{ range .ToolCalls }}<tool_call>\n{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}\n</tool_call>{{ end }};{{ end }}';
    await create({ template });
    expect((await show()).capabilities).toEqual(["completion", "tools"]);
    const messages = [
      user("P"),
      { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: { b: 1, a: "<" } } }] },
      { role: "tool", content: "R", tool_name: "f" },
    ];
    expect(await promptOf("/api/chat", { messages, tools })).toBe(
      '<tools>[{"type":"function","function":{"name":"f","description":"","parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}}]</tools>' +
        'user:P;assistant:<tool_call>\n{"name": "f", "arguments": {"a":"\\u003c","b":1}}\n</tool_call>;tool:R;',
    );
  });

  it("thinks where it shows thoughts", async () => {
    await create({
      template: "{{ range .Messages }}<think>{{ .Thinking }}</think>{{ .Content }}{{ end }}{{ .Think }}",
    });
    expect((await show()).capabilities).toEqual(["completion", "thinking"]);
    expect(await promptOf("/api/chat", { messages: [user("P")] })).toContain("Ptrue");
    expect(await promptOf("/api/chat", { messages: [user("P")], think: false })).toContain("Pfalse");
  });

  it("fills in between two texts where it has a place for the second", async () => {
    await create({ from: "bare", template: "<PRE>{{ .Prompt }}<SUF>{{ .Suffix }}<MID>" });
    expect((await show()).capabilities).toContain("insert");
    expect(await promptOf("/api/generate", { prompt: "a(", suffix: ")" })).toBe("<PRE>a(<SUF>)<MID>");
  });

  it("uses the template of the file where that can do more", async () => {
    await create({ from: "able", template: "[{{ .Prompt }}]" });
    expect(await promptOf("/api/chat", { messages: [user("P")] })).toMatch(/^user:P;/);
    await create({
      from: "able",
      template: "{{ .Tools }}{{ range .Messages }}[{{ .Content }}{{ .Thinking }}]{{ end }}",
    });
    expect(await promptOf("/api/chat", { messages: [user("P")] })).toContain("[P]");
  });
});

describe("a model with a renderer and a parser", () => {
  it("keeps their names, and uses the template of its file or ours", async () => {
    const modelfile = "FROM able\nTEMPLATE {{ .Prompt }}\nRENDERER qwen3-coder\nPARSER qwen3-coder";
    expect((await create({ modelfile })).status).toBe(200);
    const shown = await show();
    expect([shown.renderer, shown.parser]).toEqual(["qwen3-coder", "qwen3-coder"]);
    expect(shown.modelfile).toContain("\nRENDERER qwen3-coder\nPARSER qwen3-coder\n");
    expect(shown.capabilities).toEqual(["completion", "tools"]);
    expect(await promptOf("/api/chat", { messages: [user("P")] })).toMatch(/^user:P;/);
    await create({ from: "bare", renderer: "qwen3-coder", parser: "qwen3-coder" });
    expect(await promptOf("/api/chat", { messages: [{ role: "system", content: "S" }, user("P")] })).toBe(
      "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nP<|im_end|>\n<|im_start|>assistant\n",
    );
    expect((await show()).capabilities).toEqual(["completion", "tools"]);
  });

  it("is refused by the name of a renderer that needs the template of the file", async () => {
    await create({ from: "bare", renderer: "glm-4.7", parser: "glm-4.7" });
    expect(await refusal(await scene.service.post("/api/chat", { model: "made", messages: [user("P")] }))).toEqual([
      400,
      'the renderer "glm-4.7" requires a chat template in the GGUF file, which has none',
    ]);
  });

  it("is refused by name where it was pulled with an unknown one", async () => {
    const gguf = randomGgufBytes();
    const { name } = scene.registry.publish("odd", [layers.model(gguf)], {
      config: { model_format: "gguf", renderer: "unheard" },
    });
    expect(await scene.outcome(name)).toEqual({ status: "success" });
    const [status, error] = await refusal(
      await scene.service.post("/api/chat", { model: name, messages: [user("P")] }),
    );
    expect([status, error]).toEqual([400, expect.stringContaining('the renderer "unheard" is not supported')]);
  });
});
