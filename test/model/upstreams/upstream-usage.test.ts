import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  json,
  ollamaEnd,
  ollamaLine,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
} from "../../support/model/scripted-upstream.ts";

type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

const pieces = ["a", "b", "c"].map(ollamaLine).join("");

describe("the tokens of a key", () => {
  let upstream: ScriptedUpstream;
  let service: ModelService;
  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    service = await startModelService(createScriptedEngine(), { upstreams: upstreamsOf([`a=${upstream.url}`]) });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  /** A caller with a key for so many tokens a day. */
  async function caller(limit: number) {
    const key = await service.keys.add({ name: "k", scopes: ["model:use"], limits: { tokens_per_day: limit } });
    const headers = { "X-Forwarded-For": "203.0.113.9", Authorization: `Bearer ${key.secret}` };
    return {
      ask: (path: string, body: object, init: RequestInit = {}) =>
        service.post(path, { model: "m", ...body }, { headers, ...init }),
      status: async () => (await service.get("/api/tags", { headers })).status,
    };
  }
  const chat = { messages: [{ role: "user", content: "hi" }] };

  it.each<[string, UpstreamAnswer]>([
    ["whole", (res) => void res.end(pieces + ollamaEnd)],
    ["broken off by the upstream", (res) => void res.write(pieces, () => res.destroy())],
    ["reported as failed", (res) => void res.end(`${pieces}{"error":"out of memory"}\n`)],
  ])("pay for an answer that is %s", async (_how, answer) => {
    upstream.answer = answer;
    for (const stream of [true, false]) {
      const { ask, status } = await caller(3);
      await (await ask("/api/chat", { ...chat, stream })).text();
      expect(await status()).toBe(429);
    }
  });

  it("pay for the pieces of an answer that the client cuts off", async () => {
    upstream.answer = (res) => void res.write(pieces);
    const { ask, status } = await caller(3);
    const leaving = new AbortController();
    const reply = await ask("/api/chat", chat, { signal: leaving.signal });
    const text = reply.body!.pipeThrough(new TextDecoderStream());
    let got = "";
    for await (const part of text) if ((got += part).includes('"c"')) break;
    leaving.abort();
    await expect.poll(status).toBe(429);
  });

  it("pay for vectors", async () => {
    upstream.answer = (res) => json(res, 200, { embeddings: [[1]], prompt_eval_count: 3 });
    const { ask, status } = await caller(3);
    expect((await ask("/api/embed", { input: "a b c" })).status).toBe(200);
    expect(await status()).toBe(429);
  });
});
