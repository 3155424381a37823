/** The rows of the contract's error matrix that depend on the engine or the queue, or refuse nothing, by their names there. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { lines, refusal, startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { alike, both, chats, errorText, refusals } from "../../support/model/refused-calls.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, { files: { "Tiny.gguf": {} } });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  engine.steps = ["Hello"];
  engine.beforeLoad = () => undefined;
});

const chat = { model: "tiny", messages: [{ role: "user", content: "hi" }] };

it("think false is accepted on any model", async () => {
  for (const [path, body] of both({ think: false })) expect((await service.post(path, body)).status).toBe(200);
});

it("think does not matter to an unload", async () => {
  for (const [path, body] of both({ messages: [], prompt: "", keep_alive: 0, think: true }))
    expect(await (await service.post(path, body)).json()).toMatchObject({ done_reason: "unload" });
});

it("an unknown option is ignored", async () => {
  for (const [path, body] of both({ options: { nothing: { a: 1 }, NUM_CTX: "x" } }))
    expect((await service.post(path, body)).status).toBe(200);
});

it("a bad template in generate is refused", async () => {
  const [[, status, error] = []] = await refusals(service, [
    ["/api/generate", { model: "tiny", prompt: "x", template: "{% if %}" }],
  ]);
  expect([status, error]).toEqual([500, expect.stringMatching(/^template error: /)]);
});

it("a bad template in create is refused", async () => {
  for (const template of ["{% if %}", "{{ if .Prompt }}!"]) {
    const request = { model: "new", from: "tiny", template };
    // Before the first line of the stream, so that the status tells.
    for (const stream of [true, false]) {
      const [status, error] = await refusal(await service.post("/api/create", { ...request, stream }));
      expect([status, error]).toEqual([400, expect.stringMatching(/^template error: /)]);
    }
  }
  expect((await service.post("/api/show", { model: "new" })).status).toBe(404);
});

it("a model that does not fit in memory is refused", async () => {
  await service.post("/api/generate", { model: "tiny", keep_alive: 0 });
  await expect.poll(async () => ((await (await service.get("/api/ps")).json()) as Wire).models).toEqual([]);
  engine.beforeLoad = () => {
    throw new EngineError("out_of_memory", "the model needs 9 GB");
  };
  const calls = [...both({}), ...chats({}, alike)];
  expect(await refusals(service, calls)).toEqual(calls.map(([path]) => [path, 500, "the model needs 9 GB"]));
  const reply = await service.post("/v1/chat/completions", chat);
  expect(reply.headers.get("x-should-retry")).toBe("false");
});

it("a request whose runner died is answered with the contract's error", async () => {
  engine.steps = [{ fail: new EngineError("lost", "gone") }];
  const died = expect.stringMatching(/^model runner has unexpectedly stopped/);
  const calls = [...both({}), ...chats({}, alike)];
  expect(await refusals(service, calls)).toEqual(calls.map(([path]) => [path, 500, died]));
  engine.steps = ["Hel", { fail: new EngineError("lost", "gone") }];
  const reply = await service.post("/api/chat", chat);
  expect([reply.status, (await lines(reply)).at(-1)]).toEqual([200, { error: died }]);
});

it("a full queue is answered 503", async () => {
  await using busy = await startModelService(engine, { files: { "a.gguf": {} }, scheduling: { maxQueue: 1 } });
  const leaving = new AbortController();
  engine.beforeLoad = (_request, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const ask = (path: string) => busy.post(path, { ...chat, model: "a", max_tokens: 9 }, { signal: leaving.signal });
  const before = engine.loads.length;
  const first = ask("/api/chat");
  await expect.poll(() => engine.loads.length).toBe(before + 1);
  const others = [ask("/api/chat"), ask("/v1/chat/completions"), ask("/v1/messages")];
  const refused = await Promise.race(others);
  expect(refused.status).toBe(503);
  expect(errorText(await refused.json())).toBe("server busy, please try again.  maximum pending requests exceeded");
  expect(refused.headers.get("x-should-retry")).toBeNull();
  leaving.abort();
  await Promise.allSettled([first, ...others]);
});

it("a bad blob digest is refused", async () => {
  const reply = await service.post("/api/blobs/sha256:x", {});
  expect([reply.status, await reply.json()]).toEqual([400, { error: "invalid digest format" }]);
});

it("a foreign Host header is refused", async () => {
  const head = "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  const text = await requestText(service.port, head);
  expect(text).toMatch(/^HTTP\/1\.1 403 [^]*\{"error":".*allowed_hosts.*"\}$/); // upstream: an empty body
});

it("a cloud model is refused while the cloud is disabled", async () => {
  expect(await refusals(service, chats({ model: "tiny:cloud" }))).toEqual(
    chats({}).map(([path]) => [path, 404, "model 'tiny:cloud' not found"]),
  );
});
