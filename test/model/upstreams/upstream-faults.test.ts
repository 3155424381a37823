import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  json,
  ollamaLine,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
  says,
  waits,
} from "../../support/model/scripted-upstream.ts";
import { eventually } from "../../support/eventually.ts";

type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

const user = [{ role: "user", content: "hi" }];

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
    await eventually(() => expect(a.asked.length).toBe(2));
    expect(await inFlight()).toEqual([1, 0]);
    for (let n = 0; n < 3; n++) await (await chat()).text();
    expect([a.asked.length, b.asked.length]).toEqual([2, 4]);
    leaving.abort();
    await stuck;
    await eventually(async () => expect(await inFlight()).toEqual([0, 0]));
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
    expect(all.at(-1)?.error).toMatch(
      /^upstream [ab] \(http:\/\/127\.0\.0\.1:\d+\) stopped in the middle of its answer$/,
    );
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
      await eventually(() => expect(a.asked.length + b.asked.length).toBe(1));
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
        await Promise.race(["drain", "close"].map((name) => once(res, name, { signal: over.signal })));
        over.abort();
        clearTimeout(held);
      }
    };
    const sent = request(`${service.url}/api/chat`, { method: "POST" });
    sent.end(JSON.stringify({ model: "m", messages: user }));
    const [reply] = await once(sent, "response");
    reply.pause();
    await eventually(() => expect(isHeld).toBe(true));
    expect(written).toBeLessThan(most / 4);
    sent.destroy();
  });
});
