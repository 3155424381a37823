/** A call of a tool that the limit of an answer cuts off: never content, and told as each API can. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { callsFor, startClientScene, type ClientScene } from "../support/model/client-scene.ts";
import { lines, textOf, type Wire } from "../support/model/model-service.ts";
import { eventsOf } from "../support/model/scripted-completions.ts";

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
  scene.engine.steps = [
    "Look.\n",
    ...callsFor("Oslo"),
    "<tool_call>",
    '{"name":"weather","arguments":{"city":"Pa',
    "ris",
  ];
});
afterAll(() => scene.service[Symbol.asyncDispose]());

const messages = [{ role: "user", content: "hi" }];
const parameters = { type: "object" };
const weather = { name: "weather", parameters };
const tools = [{ type: "function", function: weather }];
const chat = { model: "caller", messages, tools };
const post = async (path: string, body: object) => scene.service.post(path, body);
const whole = async (path: string, body: object): Promise<Wire> => (await post(path, body)).json();

it("a call that is cut off is left out of /api/chat, whose arguments are objects", async () => {
  const body = { ...chat, options: { num_predict: 4 } };
  const { message, done_reason: reason } = await whole("/api/chat", { ...body, stream: false });
  expect(message).toMatchObject({ content: "Look.", tool_calls: [{ function: { arguments: { city: "Oslo" } } }] });
  expect(message.tool_calls).toHaveLength(1);
  expect(reason).toBe("length");
  const streamed = await lines(await post("/api/chat", body));
  expect(textOf(streamed)).toBe("Look.");
  expect(streamed.flatMap((line) => line.message.tool_calls ?? [])).toHaveLength(1);
  expect(streamed.at(-1).done_reason).toBe("length");
});

it("a call that is cut off has the beginning of its arguments in /v1/chat/completions, and the reason length", async () => {
  const body = { ...chat, max_tokens: 4 };
  const [choice] = (await whole("/v1/chat/completions", body)).choices;
  expect(choice.finish_reason).toBe("length");
  expect(choice.message.content).toBe("Look.");
  expect(choice.message.tool_calls.map((call: Wire) => [call.index, call.function.arguments])).toEqual([
    [0, '{"city":"Oslo"}'],
    [1, '{"city":"Pa'],
  ]);
  const streamed = await eventsOf(await post("/v1/chat/completions", { ...body, stream: true }));
  const deltas = streamed.flatMap(({ data }) => (data === "[DONE]" ? [] : [data.choices[0]]));
  expect(deltas.map(({ delta }) => delta.content ?? "").join("")).toBe("Look.");
  expect(deltas.flatMap(({ delta }) => delta.tool_calls ?? []).at(-1)).toMatchObject({
    index: 1,
    function: { name: "weather", arguments: '{"city":"Pa' },
  });
  expect(deltas.at(-1).finish_reason).toBe("length");
});

it("a call that is cut off is an incomplete item in /v1/responses", async () => {
  const body = { model: "caller", input: "hi", tools: [{ type: "function", ...weather }], max_output_tokens: 4 };
  const response = await whole("/v1/responses", body);
  const last = { type: "function_call", name: "weather", status: "incomplete", arguments: '{"city":"Pa' };
  expect(response.output.map(({ type }: Wire) => type)).toEqual(["message", "function_call", "function_call"]);
  expect(response.output[1]).toMatchObject({ status: "completed", arguments: '{"city":"Oslo"}' });
  expect(response.output[2]).toMatchObject(last);
  expect(response.incomplete_details).toEqual({ reason: "max_output_tokens" });
  const streamed = await eventsOf(await post("/v1/responses", { ...body, stream: true }));
  const done = streamed.filter(({ data }) => data.type === "response.output_item.done").at(-1);
  expect(done?.data.item).toMatchObject(last);
});

it("a call that is cut off has the beginning of its input in the stream of /v1/messages, the whole members in the message, and the reason max_tokens", async () => {
  const body = { model: "caller", messages, tools: [{ name: "weather", input_schema: parameters }], max_tokens: 4 };
  const message = await whole("/v1/messages", body);
  expect(message.stop_reason).toBe("max_tokens");
  expect(message.content.map(({ type }: Wire) => type)).toEqual(["text", "tool_use", "tool_use"]);
  expect(message.content[0].text).toBe("Look.");
  expect(message.content[2]).toMatchObject({ name: "weather", input: {} });
  const streamed = await eventsOf(await post("/v1/messages", { ...body, stream: true }));
  const pieces = streamed.filter(({ data }) => data.delta?.type === "input_json_delta");
  expect(pieces.at(-1)?.data.delta.partial_json).toBe('{"city":"Pa');
  expect(streamed.find(({ data }) => data.type === "message_delta")?.data.delta.stop_reason).toBe("max_tokens");
});

it("a conversation goes on behind a call that is cut off, which then has its whole members", async () => {
  const history = /"city": ?"Oslo".*"arguments": ?\{\}/s;
  const ask = { ...chat, max_tokens: 4 };
  const [choice] = (await whole("/v1/chat/completions", ask)).choices;
  const next = [...messages, choice.message, ...messages];
  expect((await post("/v1/chat/completions", { ...ask, messages: next })).status).toBe(200);
  expect(scene.asked()?.prompt).toMatch(history);
  expect((await post("/api/chat", { ...chat, messages: next, stream: false })).status).toBe(200);
  expect(scene.asked()?.prompt).toMatch(history);

  const first = { model: "caller", input: "hi", tools: [{ type: "function", ...weather }], max_output_tokens: 4 };
  const response = await whole("/v1/responses", first);
  for (const more of [
    { previous_response_id: response.id },
    { input: [...messages, ...response.output, ...messages] },
  ]) {
    expect((await post("/v1/responses", { ...first, ...more })).status).toBe(200);
    expect(scene.asked()?.prompt).toMatch(history);
  }
});

it.each([
  ['{"city":"Oslo","day":"Mo', { city: "Oslo" }],
  ['{"city":"Oslo","at":{"x":1},"near":["a"', { city: "Oslo", at: { x: 1 } }],
  ['{"city":"Oslo"', { city: "Oslo" }],
  [" {", {}],
])("arguments of an earlier call that are the beginning of an object: %s", async (given, members) => {
  const call = { function: { name: "weather", arguments: given } };
  const earlier = [...messages, { role: "assistant", content: "", tool_calls: [call] }, ...messages];
  for (const path of ["/api/chat", "/v1/chat/completions"]) {
    expect((await post(path, { ...chat, messages: earlier, stream: false })).status).toBe(200);
    const [, written = ""] = /<tool_call>\n(.*)\n<\/tool_call>/.exec(scene.asked()?.prompt ?? "") ?? [];
    expect(JSON.parse(written).arguments).toEqual(members);
  }
});

it("arguments of an earlier call that are the beginning of no object are refused", async () => {
  const call = { function: { name: "weather", arguments: "{'city':\"Oslo\"" } };
  const earlier = [...messages, { role: "assistant", content: "", tool_calls: [call] }, ...messages];
  for (const path of ["/api/chat", "/v1/chat/completions"])
    expect((await post(path, { ...chat, messages: earlier, stream: false })).status).toBe(400);
});

it("a call that is cut off within its name is dropped", async () => {
  const [choice] = (await whole("/v1/chat/completions", { ...chat, max_tokens: 3 })).choices;
  expect(choice.message).toMatchObject({
    content: "Look.",
    tool_calls: [{ function: { arguments: '{"city":"Oslo"}' } }],
  });
  expect(choice.message.tool_calls).toHaveLength(1);
  expect(choice.finish_reason).toBe("length");
});
