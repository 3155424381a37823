/** The calls of tools in the answers of upstreams with OpenAI's API, whose engines write them in different ways. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { eventsOf } from "../../support/model/scripted-completions.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { delta, event, startScriptedUpstream, upstreamsOf } from "../../support/model/scripted-upstream.ts";

const user = [{ role: "user", content: "hi" }];

describe("an upstream with OpenAI's API", () => {
  let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
  let service: ModelService;
  beforeAll(async () => {
    upstream = await startScriptedUpstream(["file"]);
    service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`llm=${upstream.url}/v1?model=file`]),
    });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  const chat = (more: object = {}) =>
    service.post("/api/chat", { model: "file", messages: user, stream: false, ...more });

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

  it.each([
    ["another id begins a call though its index is the same", { index: 0 }],
    ["another id begins a call though there is no index", {}],
  ])("may send whole calls: %s, and an id alone does not", async (_what, place) => {
    const part = (fields: object) => delta({ tool_calls: [{ ...place, ...fields }] });
    upstream.answer = (res) =>
      void res.end(
        [
          part({ id: "c1", function: { name: "f", arguments: '{"a":' } }),
          // Some engines repeat the id and send an empty name, or make an id for each part.
          part({ id: "c1", function: { name: "", arguments: "1" } }),
          part({ id: "part", function: { arguments: "}" } }),
          part({ id: "c2", function: { name: "f", arguments: '{"a":2}' } }),
          delta({ tool_calls: [{ ...place, id: "c3", function: { name: "g", arguments: "" } }] }, "tool_calls"),
          event("[DONE]"),
        ].join(""),
      );
    expect(((await (await chat()).json()) as Wire).message.tool_calls).toEqual([
      { id: "c1", function: { index: 0, name: "f", arguments: { a: 1 } } },
      { id: "c2", function: { index: 1, name: "f", arguments: { a: 2 } } },
      { id: "c3", function: { index: 2, name: "g", arguments: {} } },
    ]);
  });

  it.each([
    ["null", "null", {}],
    ["white space", " \n", {}],
    ["a JSON text of the object", '"{\\"a\\":1}"', { a: 1 }],
    ["a JSON text of nothing", '""', {}],
  ])("may write the arguments of a call as %s", async (_what, written, given) => {
    const called = { index: 0, id: "c1", function: { name: "f", arguments: written } };
    upstream.answer = (res) => void res.end(delta({ tool_calls: [called] }, "tool_calls") + event("[DONE]"));
    expect(((await (await chat()).json()) as Wire).message.tool_calls).toEqual([
      { id: "c1", function: { index: 0, name: "f", arguments: given } },
    ]);
  });

  it("may write a call whose arguments are no JSON: it is the reason of the end, streamed or not", async () => {
    const called = { index: 0, id: "c1", function: { name: "f", arguments: "{'a':1}" } };
    const ask = async (path: string, stream: boolean) =>
      service.post(path, { model: "file", messages: user, max_tokens: 9, stream });
    for (const [reason, finish, stop] of [
      ["tool_calls", "tool_calls", "tool_use"],
      ["length", "length", "max_tokens"],
    ] as const) {
      upstream.answer = (res) => void res.end(delta({ tool_calls: [called] }, reason) + event("[DONE]"));
      const [choice] = ((await (await ask("/v1/chat/completions", false)).json()) as Wire).choices;
      expect([choice.finish_reason, choice.message.tool_calls]).toMatchObject([finish, [called]]);
      const chunks = await eventsOf(await ask("/v1/chat/completions", true));
      expect(chunks.at(-2)?.data.choices[0].finish_reason).toBe(finish);
      expect(((await (await ask("/v1/messages", false)).json()) as Wire).stop_reason).toBe(stop);
      expect((await eventsOf(await ask("/v1/messages", true))).at(-2)?.data.delta.stop_reason).toBe(stop);
    }
  });

  it("may give calls the same id, or one of an earlier call, or an empty one: each gets another", async () => {
    const part = (index: number, id: string) => ({ index, id, function: { name: "f", arguments: "{}" } });
    const calls = [part(0, "c1"), part(1, "c1"), part(2, "c0"), part(3, "")];
    upstream.answer = (res) => void res.end(delta({ tool_calls: calls }, "tool_calls") + event("[DONE]"));
    const earlier = { role: "assistant", content: "", tool_calls: [{ id: "c0", function: { name: "f" } }] };
    const { message } = (await (await chat({ messages: [...user, earlier, ...user] })).json()) as Wire;
    const ids = message.tool_calls.map(({ id }: Wire) => id);
    expect(ids[0]).toBe("c1");
    expect(new Set(["c0", "", ...ids]).size).toBe(6);
  });
});
