import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  json,
  ollamaEnd,
  ollamaLine,
  quickTuning,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
} from "../../support/model/scripted-upstream.ts";
import { eventually } from "../../support/eventually.ts";

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
      /^upstream [ab] \(http:\/\/127\.0\.0\.1:\d+\) ended in the middle of its answer$/,
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

describe("health of upstreams", () => {
  it("tells of one that is down, rests between the checks, and takes it back once it answers", async () => {
    await using upstream = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?model=m`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
    await eventually(async () => expect(await state()).toMatchObject({ state: "up", models: 1 }));
    await upstream.die();
    await eventually(async () =>
      expect(await state()).toMatchObject({
        state: "down",
        reason: expect.stringMatching(/^upstream a \(.*\) does not answer: .*ECONNREFUSED.*; start it, or correct/),
      }),
    );
    // Its model stays in the list, because the setting names it, and the error says what to do.
    const refused = await service.post("/api/chat", { model: "m", messages: user });
    expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([503, expect.stringMatching(/start it/)]);
    await upstream.revive();
    await eventually(async () => expect(await state()).toMatchObject({ state: "up" }));
    expect(textOf(await lines(await service.post("/api/chat", { model: "m", messages: user })))).toBe("Hello");
  });

  it("lets answers go on that come from one which refuses to be checked, as at the limit of a key", async () => {
    await using upstream = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?model=m`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
    await eventually(async () => expect(await state()).toMatchObject({ state: "up" }));
    const end = Promise.withResolvers<void>();
    upstream.answer = async (res) => {
      res.write(ollamaLine("Hel"));
      await end.promise;
      res.end(ollamaLine("lo") + ollamaEnd);
    };
    const answer = service.post("/api/chat", { model: "m", messages: user });
    await eventually(() => expect(upstream.asked).toHaveLength(1));
    upstream.list = (res) => json(res, 429, { error: "too many requests" });
    const { lists } = upstream;
    await eventually(() => expect(upstream.lists).toBeGreaterThan(lists + 10));
    end.resolve();
    expect(textOf(await lines(await answer))).toBe("Hello");
  });

  it("asks again what a model can do where it got no answer", async () => {
    await using upstream = await startScriptedUpstream();
    upstream.list = (res, { path }) =>
      path === "/api/tags"
        ? json(res, 200, { models: [{ name: "m", size: 7, digest: "a".repeat(64) }] })
        : json(res, 404, {});
    upstream.answer = (res) => json(res, 500, { error: "starting" });
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const abilities = async () =>
      ((await (await service.get("/api/tags")).json()) as Wire).models.find(({ name }: Wire) => name === "m:latest")
        ?.capabilities;
    await eventually(async () => expect(await abilities()).toContain("thinking"));
    upstream.answer = (res) => json(res, 200, { capabilities: ["completion"] });
    await eventually(async () => expect(await abilities()).toEqual(["completion"]));
  });

  it("gives up a request to one that hangs, and sends it to another", async () => {
    await using hanging = await startScriptedUpstream();
    await using sound = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${hanging.url}`, `b=${sound.url}`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    await eventually(async () => {
      const { upstreams } = (await (await service.get("/api/upstreams")).json()) as Wire;
      expect(upstreams).toMatchObject([{ state: "up" }, { state: "up" }]);
    });
    hanging.answer = () => void (hanging.list = waits);
    sound.answer = () => void (sound.list = undefined);
    const replies = [1, 2].map(() => service.post("/api/chat", { model: "m", messages: user }));
    await eventually(() => expect([hanging.asked.length, sound.asked.length]).toEqual([1, 1]));
    sound.answer = says("Hello");
    await eventually(() => expect(sound.asked.length).toBe(2));
    const texts = await Promise.race(replies.map(async (reply) => lines(await reply)));
    expect(textOf(texts)).toBe("Hello");
  });
});
