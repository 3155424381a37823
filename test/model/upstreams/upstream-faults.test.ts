import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  delta,
  event,
  json,
  ollamaEnd,
  ollamaLine,
  quickTuning,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
} from "../../support/model/scripted-upstream.ts";

type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

const user = [{ role: "user", content: "hi" }];
const says =
  (...texts: string[]): UpstreamAnswer =>
  (res) =>
    void res.end(texts.map(ollamaLine).join("") + ollamaEnd);
const waits: UpstreamAnswer = () => undefined;

describe("two upstreams with one model", () => {
  let a: ScriptedUpstream;
  let b: ScriptedUpstream;
  let service: ModelService;
  beforeAll(async () => {
    [a, b] = await Promise.all([startScriptedUpstream(), startScriptedUpstream()]);
    service = await startModelService(createScriptedEngine(), { upstreams: upstreamsOf([`a=${a.url}`, `b=${b.url}`]) });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await a[Symbol.asyncDispose]();
    await b[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    for (const one of [a, b]) Object.assign(one, { answer: says("Hello"), list: undefined });
    a.asked.length = b.asked.length = 0;
  });

  const chat = (more: object = {}, init?: RequestInit) =>
    service.post("/api/chat", { model: "m", messages: user, ...more }, init);
  const inFlight = async () =>
    ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams.map((one: Wire) => one.in_flight);

  it("are one model in the list, with both names", async () => {
    const { models } = (await (await service.get("/api/tags")).json()) as Wire;
    expect(models.filter(({ name }: Wire) => name === "m:latest")).toMatchObject([{ upstreams: ["a", "b"] }]);
  });

  it("take turns, and the less busy one gets the next request", async () => {
    await (await chat()).text();
    await (await chat()).text();
    expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
    a.answer = waits;
    const leaving = new AbortController();
    const stuck = chat({}, { signal: leaving.signal }).catch(() => undefined);
    await vi.waitFor(() => expect(a.asked.length).toBe(2));
    expect(await inFlight()).toEqual([1, 0]);
    for (let n = 0; n < 3; n++) await (await chat()).text();
    expect([a.asked.length, b.asked.length]).toEqual([2, 4]);
    leaving.abort();
    await stuck;
    await vi.waitFor(async () => expect(await inFlight()).toEqual([0, 0]));
  });

  it.each<[string, UpstreamAnswer]>([
    ["is too busy", (res) => json(res, 503, { error: "server busy" })],
    ["limits its callers", (res) => json(res, 429, { error: { message: "slow down" } })],
    ["fails", (res) => json(res, 500, { error: "CUDA error" })],
    ["does not have the model any more", (res) => json(res, 404, { error: "model 'm' not found" })],
    ["refuses the key", (res) => json(res, 401, { error: "no" })],
    ["breaks the connection", (res) => void res.destroy()],
    ["ends without an answer", (res) => void res.end()],
    ["fails in its first line", (res) => void res.end('{"error":"out of memory"}\n')],
    ["sends garbage", (res) => void res.end("<html>Welcome to nginx!</html>")],
    ["sends lines of another shape", (res) => void res.end('{"message":"hello"}\n')],
  ])("answer by the other one where one %s before its first token, streamed and whole", async (_what, fault) => {
    for (const stream of [true, false]) {
      a.asked.length = b.asked.length = 0;
      let faulty: ScriptedUpstream | undefined;
      for (const one of [a, b])
        one.answer = (res, asked) => {
          faulty ??= one;
          return faulty === one ? fault(res, asked) : says("Hello")(res, asked);
        };
      expect(textOf(await lines(await chat({ stream })))).toBe("Hello");
      expect(Math.min(a.asked.length, b.asked.length)).toBe(1);
    }
  });

  it("end the answer with an error that names the upstream where one dies after its first token, and ask no other", async () => {
    a.answer = b.answer = (res) => {
      res.write(ollamaLine("Hel"));
      setTimeout(() => res.destroy(), 20);
    };
    const all = await lines(await chat());
    expect(all[0]?.message.content).toBe("Hel");
    expect(all.at(-1)?.error).toMatch(/^upstream [ab] \(http:\/\/127\.0\.0\.1:\d+\) ended in the middle of its answer$/);
    expect(a.asked.length + b.asked.length).toBe(1);
    const openAi = await service.post("/v1/chat/completions", { model: "m", messages: user, stream: true });
    expect(await openAi.text()).toMatch(/"error":\{"message":"upstream [ab] .*in the middle/);
    const anthropic = await service.post("/v1/messages", { model: "m", messages: user, max_tokens: 9, stream: true });
    expect(await anthropic.text()).toMatch(/event: error\ndata: .*upstream [ab] .*in the middle/);
  });

  it("pass a refusal of the request on, with its status, and ask no other", async () => {
    a.answer = b.answer = (res) => json(res, 400, { error: "invalid format" });
    const reply = await chat();
    expect([reply.status, ((await reply.json()) as Wire).error]).toEqual([
      400,
      expect.stringMatching(/^upstream [ab] .* refuses the request: invalid format$/),
    ]);
    expect(a.asked.length + b.asked.length).toBe(1);
  });

  it("are both named where neither answers, in the shape of each API", async () => {
    a.answer = (res) => json(res, 503, { error: "loading" });
    b.answer = (res) => json(res, 503, { error: "full" });
    const reply = await chat();
    const text = /^no upstream answers for model 'm': upstream . .*; upstream . .*$/;
    expect([reply.status, ((await reply.json()) as Wire).error]).toEqual([503, expect.stringMatching(text)]);
    const openAi = await service.post("/v1/chat/completions", { model: "m", messages: user });
    expect([openAi.status, ((await openAi.json()) as Wire).error.message]).toEqual([503, expect.stringMatching(text)]);
    const anthropic = await service.post("/v1/messages", { model: "m", messages: user, max_tokens: 9 });
    expect(await anthropic.json()).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
  });

  it("hear at once that the client has left, before the first token and after it", async () => {
    for (const answer of [waits, ((res) => void res.write(ollamaLine("Hel"))) satisfies UpstreamAnswer]) {
      a.asked.length = b.asked.length = 0;
      a.answer = b.answer = answer;
      const leaving = new AbortController();
      const gone = chat({}, { signal: leaving.signal })
        .then((reply) => reply.text())
        .catch(() => undefined);
      await vi.waitFor(() => expect(a.asked.length + b.asked.length).toBe(1));
      leaving.abort();
      await [...a.asked, ...b.asked][0]?.closed;
      await gone;
      expect(a.asked.length + b.asked.length).toBe(1);
    }
  });

  it("are held back by a client that reads slowly", async () => {
    const line = ollamaLine("x".repeat(64 * 1024));
    let written = 0;
    const most = 256 * 1024 * 1024;
    let isHeld = false;
    a.answer = b.answer = async (res) => {
      while (written < most && !res.destroyed) {
        written += line.length;
        if (res.write(line)) continue;
        const held = setTimeout(() => (isHeld = true), 500);
        const over = new AbortController();
        await Promise.race(["drain", "close"].map((name) => once(res, name, { signal: over.signal }))).finally(() => over.abort());
        clearTimeout(held);
      }
    };
    const sent = request(`${service.url}/api/chat`, { method: "POST" });
    sent.end(JSON.stringify({ model: "m", messages: user }));
    const [reply] = await once(sent, "response");
    reply.pause();
    await vi.waitFor(() => expect(isHeld).toBe(true), { timeout: 20_000 });
    expect(written).toBeLessThan(most / 4);
    sent.destroy();
  });
});

describe("health of upstreams", () => {
  it("tells of one that is down, rests between the checks, and takes it back once it answers", async () => {
    await using upstream = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?model=m`], quickTuning),
    });
    const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
    await vi.waitFor(async () => expect(await state()).toMatchObject({ state: "up", models: 1 }));
    await upstream.die();
    await vi.waitFor(async () =>
      expect(await state()).toMatchObject({
        state: "down",
        reason: expect.stringMatching(/^upstream a \(.*\) does not answer: .*ECONNREFUSED.*; start it, or correct/),
      }),
    );
    // Its model stays in the list, because the setting names it, and the error says what to do.
    const refused = await service.post("/api/chat", { model: "m", messages: user });
    expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([503, expect.stringMatching(/start it/)]);
    await upstream.revive();
    await vi.waitFor(async () => expect(await state()).toMatchObject({ state: "up" }));
    expect(textOf(await lines(await service.post("/api/chat", { model: "m", messages: user })))).toBe("Hello");
  });

  it("gives up a request to one that hangs, and sends it to another", async () => {
    await using hanging = await startScriptedUpstream();
    await using sound = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${hanging.url}`, `b=${sound.url}`], quickTuning),
    });
    await service.get("/api/tags");
    hanging.answer = (_res) => void (hanging.list = waits);
    sound.answer = (_res) => void (sound.list = undefined);
    const replies = [1, 2].map(() => service.post("/api/chat", { model: "m", messages: user }));
    await vi.waitFor(() => expect([hanging.asked.length, sound.asked.length]).toEqual([1, 1]));
    sound.answer = says("Hello");
    await vi.waitFor(() => expect(sound.asked.length).toBe(2), { timeout: 20_000 });
    const texts = await Promise.race(replies.map(async (reply) => lines(await reply)));
    expect(textOf(texts)).toBe("Hello");
  });
});

describe("an upstream with OpenAI's API", () => {
  let upstream: ScriptedUpstream;
  let service: ModelService;
  beforeAll(async () => {
    upstream = await startScriptedUpstream(["org/big-model", "/models/file.gguf", "other"]);
    service = await startModelService(createScriptedEngine(), {
      upstreams: {
        ...upstreamsOf([`llm=${upstream.url}/v1?model=org/big-model&model=/models/file.gguf`]),
        keys: new Map([["llm", "sk-secret"]]),
      },
    });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  const chat = (more: object = {}) =>
    service.post("/api/chat", { model: "org/big-model", messages: user, stream: false, ...more });

  it("serves the models of the setting alone, an id that is a path by its last part", async () => {
    const { models } = (await (await service.get("/api/tags")).json()) as Wire;
    const names = models.filter((one: Wire) => one.upstreams).map(({ name }: Wire) => name);
    expect(names.sort()).toEqual(["file:latest", "org/big-model:latest"]);
    upstream.answer = (res) => void res.end(delta({ content: "Hi" }, "stop") + event("[DONE]"));
    await chat({ model: "file" });
    expect(upstream.asked.at(-1)?.body.model).toBe("/models/file.gguf");
  });

  it("gets the key, and what the client asked for, in its own words", async () => {
    await chat({ options: { top_k: 3, repeat_penalty: 1.5, num_ctx: 9 }, think: "high", keep_alive: "5m" });
    const { authorization, body } = upstream.asked.at(-1) ?? {};
    expect(authorization).toBe("Bearer sk-secret");
    expect(body).toEqual({
      model: "org/big-model",
      stream: true,
      stream_options: { include_usage: true },
      messages: user,
      top_k: 3,
      repeat_penalty: 1.5,
      repetition_penalty: 1.5,
      reasoning_effort: "high",
    });
  });

  it("may send calls in pieces, several of them, and thoughts by either name", async () => {
    const part = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
    upstream.answer = (res) =>
      void res.end(
        `: comment\n\n${[
          delta({ role: "assistant", content: null, reasoning_content: "hm" }),
          delta({ reasoning: "m" }),
          part(0, { id: "c1", function: { name: "f", arguments: "" } }),
          part(0, { function: { arguments: '{"a":' } }),
          part(0, { function: { arguments: "1}" } }),
          part(1, { id: "c2", function: { name: "g", arguments: "{}" } }),
          delta({}, "tool_calls"),
          event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }),
          event("[DONE]"),
        ].join("")}`,
      );
    expect(await (await chat()).json()).toMatchObject({
      message: {
        thinking: "hmm",
        content: "",
        tool_calls: [
          { id: "c1", function: { index: 0, name: "f", arguments: { a: 1 } } },
          { id: "c2", function: { index: 1, name: "g", arguments: {} } },
        ],
      },
      done_reason: "stop",
      prompt_eval_count: 11,
      eval_count: 7,
    });
  });

  it.each<[string, UpstreamAnswer, RegExp]>([
    ["refuses the key", (res) => json(res, 401, { error: { message: "bad key" } }), /refuses the key .*upstream_keys/],
    ["fails in its stream", (res) => void res.end(event({ error: { message: "OOM" } })), /failed: OOM/],
    ["answers with a page", (res) => void res.end("<html></html>"), /not OpenAI's API: its address or kind/],
    ["ends too early", (res) => void res.end(delta({ content: "" })), /ended in the middle/],
  ])("that %s is named in an error without the key", async (_what, answer, text) => {
    upstream.answer = answer;
    const reply = await chat();
    const { error } = (await reply.json()) as Wire;
    expect([reply.status, error]).toEqual([502, expect.stringMatching(text)]);
    expect(error).toMatch(/^upstream llm \(/);
    expect(error).not.toContain("sk-secret");
  });

  it("is told what it lacks", async () => {
    const reply = await service.post("/api/generate", { model: "file", prompt: "x", context: [1] });
    expect([reply.status, ((await reply.json()) as Wire).error]).toEqual([400, expect.stringContaining("no context")]);
  });
});
