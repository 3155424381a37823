/** What clients trip over in settings, loads, failures and messages (contract: ollama, Traps). */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { callsFor, startClientScene, type ClientScene } from "../../support/model/client-scene.ts";
import { lines, textOf, type Wire } from "../../support/model/model-service.ts";

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
});
afterAll(() => scene.service[Symbol.asyncDispose]());
beforeEach(() => {
  scene.engine.steps = ["Hel", "lo"];
});

const messages = [{ role: "user", content: "hi" }];
const chat = { model: "caller", messages };
const thinker = { ...chat, model: "thinker" };
const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
const post = (path: string, body: object) => scene.service.post(path, body);
const whole = async (path: string, body: object): Promise<Wire> => (await post(path, body)).json();
const typeOf = async (path: string, body: object) => (await post(path, body)).headers.get("content-type");

it("keep_alive is a number of seconds or a duration, and null is not given", async () => {
  const statusOf = async (keep: unknown) =>
    (await post("/api/chat", { ...chat, keep_alive: keep, stream: false })).status;
  for (const right of [60, -1, 0, "0", "1h2m3.5s", "300ms", "-1m", null]) expect(await statusOf(right)).toBe(200);
  for (const wrong of ["5", "x", true, {}]) expect(await statusOf(wrong)).toBe(400);
});

it("empty and null members count as not given; a wrong type of an option is 500", async () => {
  const empty = { options: null, format: "", tools: [], think: null, stream: false };
  expect((await post("/api/chat", { ...chat, ...empty })).status).toBe(200);
  expect((await post("/api/chat", { ...chat, format: null, options: { what: 1 }, stream: false })).status).toBe(200);
  expect((await post("/api/chat", { ...chat, options: { seed: "1" } })).status).toBe(500);
});

it("the defaults of the families differ, and only OpenAI's count over the model's own", async () => {
  const used = async (path: string, model: string) => {
    await post(path, { ...chat, model, input: "hi", prompt: "hi", max_tokens: 9, stream: false });
    const { temperature, top_p: topP, repeat_penalty: repeat } = scene.asked()?.sampling ?? {};
    return [temperature, topP, repeat];
  };
  for (const path of ["/api/chat", "/api/generate", "/v1/messages"]) {
    expect(await used(path, "caller"), path).toEqual([0.8, 0.9, 1]);
    expect(await used(path, "hearth-starter"), path).toEqual([0, 0.9, 1]);
  }
  for (const path of ["/v1/chat/completions", "/v1/completions"])
    expect(await used(path, "hearth-starter"), path).toEqual([1, 1, 1]);
  expect(await used("/v1/responses", "hearth-starter")).toEqual([1, 0.9, 1]);
});

it("a model that thinks does so by default, and no tag of it reaches the content", async () => {
  scene.engine.steps = ["<thi", "nk>h", "m</th", "ink>", "Hi"];
  const { message } = await whole("/api/chat", { ...thinker, stream: false });
  expect(message).toEqual({ role: "assistant", content: "Hi", thinking: "hm" });
  const v1 = await whole("/v1/chat/completions", thinker);
  expect(v1.choices[0].message).toMatchObject({ content: "Hi", reasoning: "hm" });
  const { content } = await whole("/v1/messages", { ...thinker, max_tokens: 9 });
  expect(content.map(({ type }: Wire) => type)).toEqual(["thinking", "text"]);
});

it("loading and unloading answer plain JSON for a stream, too", async () => {
  for (const keep of [60, 0])
    expect(await typeOf("/api/generate", { model: "caller", keep_alive: keep, stream: true })).toContain(
      "application/json",
    );
});

it("a failure before the first token keeps its status, and a header says whether to retry", async () => {
  scene.engine.steps = [{ fail: new EngineError("failed", "no") }];
  for (const path of ["/api/chat", "/v1/chat/completions", "/v1/messages"]) {
    const reply = await post(path, { ...chat, stream: true, max_tokens: 9 });
    expect(reply.status, path).toBe(500);
  }
  const wrong = await post("/v1/chat/completions", { ...chat, options: { seed: "x" } });
  expect([wrong.status, wrong.headers.get("x-should-retry")]).toEqual([500, "false"]);
});

it("text that may begin a call is held back, and sent whole when it does not", async () => {
  scene.engine.steps = ["a <tool", "_cal", "m> b"];
  expect(textOf(await lines(await post("/api/chat", { ...chat, tools })))).toBe("a <tool_calm> b");
  scene.engine.steps = ["ok ", ...callsFor("Oslo").flatMap((call) => [...call])];
  expect(textOf(await lines(await post("/api/chat", { ...chat, tools })))).not.toContain("<");
});

it("images are base64 natively, data URIs on /v1; a data URI's head is tolerated natively", async () => {
  const image = "data:image/png;base64,aGk=";
  const parts = [{ type: "image_url", image_url: { url: image } }];
  const refused = expect.stringMatching(/does not support vision: Hearth's engine does not support images/);
  expect((await whole("/api/chat", { ...chat, messages: [{ role: "user", images: [image] }] })).error).toEqual(refused);
  const v1 = await whole("/v1/chat/completions", { ...chat, messages: [{ role: "user", content: parts }] });
  expect(v1.error.message).toEqual(refused);
});

it("content parts are accepted, and adjacent messages of one role are joined", async () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  const row = [
    { role: "user", content: parts },
    { role: "user", content: "c" },
  ];
  for (const path of ["/v1/chat/completions", "/v1/messages"]) {
    await post(path, { ...chat, messages: row, max_tokens: 9 });
    expect(scene.asked()?.prompt, path).toContain("<|im_start|>user\na\n\nb\n\nc<|im_end|>");
  }
  await post("/api/chat", { ...chat, messages: [{ role: "user", content: [] }, ...messages], stream: false });
  expect(scene.asked()?.prompt).toContain("hi<|im_end|>");
});

it("a disconnect is noticed while nothing is sent, and replies are not compressed", async () => {
  const zipped = { headers: { "Accept-Encoding": "gzip" } };
  const large = { model: "caller", input: Array.from({ length: 20_000 }, () => "hi") };
  for (const [path, body] of [
    ["/v1/chat/completions", { ...chat, stream: true }],
    ["/api/embed", large],
    ["/v1/embeddings", large],
  ] as const) {
    const reply = await scene.service.post(path, body, zipped);
    expect([reply.status, reply.headers.get("content-encoding")], path).toEqual([200, null]);
    const { length } = await reply.text();
    if (body === large) expect(length, path).toBeGreaterThan(100_000);
  }
  scene.engine.steps = [{ wait: true }];
  const [leaving, before, asked] = [new AbortController(), scene.engine.aborted.length, scene.engine.requests.length];
  const request = scene.service.post("/v1/messages", { ...chat, max_tokens: 9 }, { signal: leaving.signal });
  await expect.poll(() => scene.engine.requests.length).toBe(asked + 1);
  leaving.abort();
  await expect(request).rejects.toThrow();
  await expect.poll(() => scene.engine.aborted.length).toBe(before + 1);
});

it("long uploads and answers are not cut by a time limit of the server", () => {
  const { requestTimeout, timeout } = scene.service.server;
  expect({ requestTimeout, timeout }).toEqual({ requestTimeout: 0, timeout: 0 });
});

it("names of options count by their case, names of members do not", async () => {
  await post("/api/chat", {
    MODEL: "caller",
    Messages: messages,
    options: { NUM_PREDICT: 3, num_predict: 4 },
    Stream: false,
  });
  expect(scene.asked()?.num_predict).toBe(4);
  const v1 = await post("/v1/chat/completions", { Model: "caller", MESSAGES: messages, MAX_TOKENS: 5 });
  expect([v1.status, scene.asked()?.num_predict]).toEqual([200, 5]);
});
