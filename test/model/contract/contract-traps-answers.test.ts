/** What clients trip over in the shape of answers (contract: ollama, Traps); what only a client shows is in the tests of the clients. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { lines, startRulesService, type ModelService, type Wire } from "../../support/model/model-service.ts";

const calls = ["Oslo", "Rome"].map((city) => ({ name: "weather", arguments: { city } }));
let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({
    caller: { rules: [{ when: { tools: true }, calls }, { text: "Hello" }] },
    thinker: { rules: [{ thinking: "hm" }] },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const messages = [{ role: "user", content: "hi" }];
const chat = { model: "caller", messages };
const generate = { model: "caller", prompt: "hi" };
const thinker = { ...chat, model: "thinker" };
const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
const post = (path: string, body: object) => service.post(path, body);
const whole = async (path: string, body: object): Promise<Wire> => (await post(path, body)).json();
const typeOf = async (path: string, body: object) => (await post(path, body)).headers.get("content-type");

it("stream defaults to true natively, to false on /v1", async () => {
  expect(await typeOf("/api/chat", chat)).toBe("application/x-ndjson");
  expect(await typeOf("/api/generate", generate)).toBe("application/x-ndjson");
  for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/completions", "/v1/responses"])
    expect(await typeOf(path, { ...chat, ...generate, input: "hi", max_tokens: 9 }), path).toMatch(
      /^application\/json/,
    );
});

it("HEAD / is 200 with no body, DELETE carries one", async () => {
  const head = await service.get("/", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const reply = await service.post("/api/delete", { model: "nobody" }, { method: "DELETE" });
  expect([reply.status, await reply.json()]).toEqual([404, { error: "model 'nobody' not found" }]);
});

it("only the last chunk has done, reason and figures", async () => {
  const figures = ["total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count"];
  const all = await lines(await post("/api/generate", generate));
  for (const chunk of all.slice(0, -1)) {
    expect(chunk.done).toBe(false);
    for (const name of [...figures, "done_reason", "context"]) expect(chunk).not.toHaveProperty(name);
  }
  for (const name of figures) expect(all.at(-1)[name], name).toBeGreaterThanOrEqual(1);
  expect(all.at(-1)).toMatchObject({ done: true, done_reason: "stop", context: expect.any(Array) });
  const embedded = await whole("/api/embed", { model: "caller", input: "x" });
  for (const name of ["total_duration", "load_duration", "prompt_eval_count"])
    expect(embedded[name], name).toBeGreaterThanOrEqual(1);
});

it("durations are integer nanoseconds", async () => {
  const reply = await whole("/api/chat", { ...chat, stream: false });
  for (const name of ["total_duration", "load_duration", "prompt_eval_duration", "eval_duration"])
    expect(Number.isInteger(reply[name]), name).toBe(true);
});

it("content and response are always strings, with calls or thoughts only, too", async () => {
  for (const chunk of await lines(await post("/api/chat", { ...chat, tools }))) expect(chunk.message.content).toBe("");
  const v1 = await whole("/v1/chat/completions", { ...chat, tools });
  expect(v1.choices[0].message.content).toBe("");
  for (const chunk of await lines(await post("/api/chat", thinker))) expect(chunk.message.content).toBe("");
  for (const chunk of await lines(await post("/api/generate", { ...generate, model: "thinker" })))
    expect(chunk.response).toBe("");
});

it("arguments are an object natively and text on /v1; parallel calls have indexes of their own", async () => {
  const native = (await lines(await post("/api/chat", { ...chat, tools }))).flatMap(
    (one) => one.message.tool_calls ?? [],
  );
  expect(native.map(({ function: call }) => call)).toEqual([
    { index: 0, name: "weather", arguments: { city: "Oslo" } },
    { index: 1, name: "weather", arguments: { city: "Rome" } },
  ]);
  const { tool_calls: calls } = (await whole("/v1/chat/completions", { ...chat, tools })).choices[0].message;
  expect(calls.map((call: Wire) => [call.index, call.function.arguments])).toEqual([
    [0, '{"city":"Oslo"}'],
    [1, '{"city":"Rome"}'],
  ]);
  expect(new Set(calls.map(({ id }: Wire) => id)).size).toBe(2);
});

it("errors are texts natively, objects for OpenAI, typed objects for Anthropic; every line has its keys", async () => {
  const wrong = { ...chat, model: "nobody", max_tokens: 9 };
  expect(await whole("/api/chat", wrong)).toEqual({ error: "model 'nobody' not found" });
  expect((await whole("/v1/chat/completions", wrong)).error).toMatchObject({ type: "not_found_error", code: null });
  expect(await whole("/v1/messages", wrong)).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  for (const line of await lines(await post("/api/chat", { ...chat, progress: true })))
    expect(line).toMatchObject({
      model: "caller",
      created_at: expect.any(String),
      done: expect.any(Boolean),
      message: { role: "assistant", content: expect.any(String) },
    });
});

it("errors are JSON by their type, before a stream, too", async () => {
  expect(await typeOf("/api/chat", { ...chat, model: "nobody" })).toContain("application/json");
  expect(await typeOf("/v1/chat/completions", { ...chat, model: "nobody", stream: true })).toContain(
    "application/json",
  );
});

it("names in tags carry their tag, replies echo the request", async () => {
  const { models } = (await (await service.get("/api/tags")).json()) as Wire;
  expect(models.map(({ name }: Wire) => name).toSorted()).toEqual([
    "caller:latest",
    "hearth-starter:latest",
    "thinker:latest",
  ]);
  for (const model of ["caller", "CALLER:latest", "library/caller"])
    for (const path of ["/api/chat", "/v1/chat/completions", "/v1/messages"])
      expect((await whole(path, { ...chat, model, stream: false, max_tokens: 9 })).model).toBe(model);
});

it("tags have every member that clients insist on, name and model alike", async () => {
  const { models } = (await (await service.get("/api/tags")).json()) as Wire;
  for (const model of models) {
    expect(model).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), size: expect.any(Number) });
    expect(model.details).toMatchObject({ parameter_size: expect.any(String), quantization_level: expect.any(String) });
    expect(model.name).toBe(model.model);
  }
  const shown = await whole("/api/show", { name: "caller" });
  expect(shown.model_info).toMatchObject({ "general.architecture": "rules", "rules.context_length": 131_072 });
});
