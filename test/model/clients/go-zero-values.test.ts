/** Bodies as Ollama's own Go client writes them: a field that nobody has set has the zero value of its type. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyTemplates } from "../../support/model/family-templates.ts";
import { layers } from "../../support/model/model-registry.ts";
import { lines, refusal, textOf, type Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { startScriptedUpstream, upstreamsOf } from "../../support/model/scripted-upstream.ts";

let scene: PullScene;
beforeAll(async () => {
  scene = await startPullScene({
    files: { "plain.gguf": { chatTemplate: familyTemplates.qwen3 } },
    upstreams: upstreamsOf([]),
  });
});
afterAll(() => scene[Symbol.asyncDispose]());

const ask = (path: string, body: object, init?: RequestInit) => scene.service.post(path, body, init);
const lastLine = async (reply: Response) => (await lines(reply)).at(-1);

/** Every field of these types, also where the newest client omits its zero value. */
const options = { options: null, keep_alive: null };
const answer = {
  ...options,
  ...{ stream: null, format: "", think: null, truncate: null, shift: null, logprobs: false, top_logprobs: 0 },
  _debug_render_only: false,
};
const generate = { prompt: "", suffix: "", system: "", template: "", context: null, raw: false, images: null };
const message = {
  role: "",
  content: "",
  thinking: "",
  images: null,
  tool_calls: null,
  tool_name: "",
  tool_call_id: "",
};
const show = { system: "", template: "", verbose: false, options: null };
const transfer = { insecure: false, username: "", password: "", stream: null };
const create = {
  ...{ from: "", remote_host: "", files: null, adapters: null, path: "", modelfile: "", parameters: null, info: null },
  ...{ template: "", license: null, system: "", messages: null, renderer: "", parser: "", requires: "" },
  ...{ quantize: "", quantization: "", stream: null, draft_files: null, draft_quantize: "" },
};

describe("a request whose model is in name, beside an empty model", () => {
  const named = (name: string) => ({ model: "", name });

  it("shows the model", async () => {
    const reply = await ask("/api/show", { ...show, ...named("plain") });
    expect([reply.status, ((await reply.json()) as Wire).details.format]).toEqual([200, "gguf"]);
  });

  it("pulls it, and deletes it", async () => {
    const { name } = scene.registry.publish("m", [layers.model(randomGgufBytes())]);
    const pulled = await ask("/api/pull", { ...transfer, ...named(name), insecure: true });
    expect(await lastLine(pulled)).toEqual({ status: "success" });
    expect((await ask("/api/delete", named(name), { method: "DELETE" })).status).toBe(200);
    expect(await scene.names()).not.toContain(name);
  });

  it("creates it", async () => {
    expect(await lastLine(await ask("/api/create", { ...create, ...named("made"), from: "plain" }))).toEqual({
      status: "success",
    });
    expect(await scene.names()).toContain("made:latest");
  });

  it("cannot push it, and is told so", async () => {
    expect(await refusal(await ask("/api/push", { ...transfer, ...named("plain") }))).toEqual([
      501,
      expect.stringContaining("/api/push is not supported"),
    ]);
  });
});

describe("a request with a model whose other fields have their zero values", () => {
  const given = { model: "plain", name: "" };

  it.each([
    ["/api/show", show],
    ["/api/generate", { ...answer, ...generate }],
    ["/api/generate", { ...answer, ...generate, format: null, prompt: "hi" }],
    ["/api/chat", { ...answer, messages: null, tools: null }],
    ["/api/embed", { ...options, input: null, truncate: null, dimensions: 0 }],
    ["/api/embed", { ...options, input: "hi", truncate: null, dimensions: 0 }],
    ["/api/embeddings", { ...options, prompt: "" }],
    ["/api/copy", { source: "plain", destination: "copied" }],
  ])("is answered: POST %s %j", async (path, body) => {
    const reply = await ask(path, { ...given, ...body });
    expect([reply.status, (await reply.text()).includes('"error"')]).toEqual([200, false]);
  });

  it("is answered by chat, also with zero values in messages, calls and tools", async () => {
    const called = { index: 0, name: "look", arguments: null };
    const tool = { name: "look", description: "", parameters: { type: "", required: null, properties: null } };
    const calls = [{ id: "", function: called }];
    const messages = [
      { ...message, role: "user", content: "hi" },
      { ...message, role: "assistant", tool_calls: calls },
      { ...message, role: "tool", content: "found" },
    ];
    const tools = [{ type: "function", items: null, function: tool }];
    expect(textOf(await lines(await ask("/api/chat", { ...given, ...answer, messages, tools })))).toBe("Hello");
  });

  it("creates a model at an upstream", async () => {
    await using upstream = await startScriptedUpstream();
    const body = { ...create, model: "there", name: "", from: "m", remote_host: upstream.url };
    expect(await lastLine(await ask("/api/create", body))).toEqual({ status: "success" });
  });
});

it("earlier calls whose ids are empty get ids of their own, and the result of one has the same", async () => {
  const two = ["first", "second"].map((name) => ({ id: "", function: { index: 0, name, arguments: null } }));
  const messages = [
    { ...message, role: "user", content: "hi" },
    { ...message, role: "assistant", tool_calls: two },
    { ...message, role: "tool", content: "found", tool_name: "second" },
  ];
  await using upstream = await startScriptedUpstream();
  expect(await lastLine(await ask("/api/create", { model: "ids", from: "m", remote_host: upstream.url }))).toEqual({
    status: "success",
  });
  await (await ask("/api/chat", { model: "ids", messages })).text();
  const [, { tool_calls: sent }, result]: Wire[] = upstream.asked[0]?.body.messages ?? [];
  expect(new Set(sent.map(({ id }: Wire) => id)).size).toBe(2);
  expect(result.tool_call_id).toBe(sent[1].id);
});
