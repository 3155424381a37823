import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  delta,
  event,
  json,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
} from "../../support/model/scripted-upstream.ts";

type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

const user = [{ role: "user", content: "hi" }];

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
