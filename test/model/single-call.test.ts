/** Clients that run one tool at a time say so, each API in its own words: an answer has one call then. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRulesService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { eventsOf } from "../support/model/scripted-completions.ts";

let service: ModelService;
beforeAll(async () => {
  const calls = ["Oslo", "Paris"].map((city) => ({ name: "weather", arguments: { city } }));
  service = await startRulesService({ caller: { rules: [{ calls }] } });
});
afterAll(() => service[Symbol.asyncDispose]());

const messages = [{ role: "user", content: "hi" }];
const weather = { name: "weather", parameters: { type: "object" } };
const model = "caller";
const post = async (path: string, body: object) => service.post(path, body);
const whole = async (path: string, body: object): Promise<Wire> => (await post(path, body)).json();

it("parallel_tool_calls: false of /v1/chat/completions, streamed or not, forced or not", async () => {
  const tools = [{ type: "function", function: weather }];
  const body = { model, messages, tools };
  const callsOf = async (more: object): Promise<Wire[]> =>
    (await whole("/v1/chat/completions", { ...body, ...more })).choices[0].message.tool_calls;
  expect(await callsOf({})).toHaveLength(2);
  expect(await callsOf({ parallel_tool_calls: true })).toHaveLength(2);
  for (const choice of ["auto", "required"])
    expect(await callsOf({ parallel_tool_calls: false, tool_choice: choice })).toMatchObject([
      { index: 0, function: { arguments: '{"city":"Oslo"}' } },
    ]);
  const streamed = await eventsOf(
    await post("/v1/chat/completions", { ...body, parallel_tool_calls: false, stream: true }),
  );
  const deltas = streamed.flatMap(({ data }) => (data === "[DONE]" ? [] : [data.choices[0]]));
  expect(deltas.flatMap(({ delta }) => delta.tool_calls ?? [])).toHaveLength(1);
  expect(deltas.at(-1).finish_reason).toBe("tool_calls");
});

it("parallel_tool_calls: false of /v1/responses, which the response repeats", async () => {
  const body = { model, input: "hi", tools: [{ type: "function", ...weather }] };
  const several = await whole("/v1/responses", body);
  expect([several.output.length, several.parallel_tool_calls]).toEqual([2, true]);
  const single = await whole("/v1/responses", { ...body, parallel_tool_calls: false });
  expect([single.output.length, single.parallel_tool_calls]).toEqual([1, false]);
});

it("disable_parallel_tool_use of /v1/messages", async () => {
  const tools = [{ name: "weather", input_schema: { type: "object" } }];
  const body = { model, messages, tools, max_tokens: 50 };
  expect((await whole("/v1/messages", body)).content).toHaveLength(2);
  for (const type of ["auto", "any"]) {
    const choice = { type, disable_parallel_tool_use: true };
    const { content, stop_reason: reason } = await whole("/v1/messages", { ...body, tool_choice: choice });
    expect(content).toMatchObject([{ type: "tool_use", input: { city: "Oslo" } }]);
    expect(reason).toBe("tool_use");
  }
});
