/** A text that the model has written behind its call of a tool: in the history it belongs to the turn of the call. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { callsFor, startClientScene, type ClientScene } from "../support/model/client-scene.ts";
import type { Wire } from "../support/model/model-service.ts";

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
});
afterAll(() => scene.service[Symbol.asyncDispose]());
beforeEach(() => void (scene.engine.steps = ["Rain."]));

const whole = async (path: string, body: object): Promise<Wire> =>
  (await scene.service.post(path, { model: "caller", ...body })).json();
const turns = () => scene.asked()?.prompt.match(/(?<=<\|im_start\|>)\w+\n[^]*?(?=<\|im_end\|>)/g);
/** The history of the template: the call of its turn comes behind the text of it. */
const history = [
  "user\nhi",
  'assistant\nLet me look.<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  "tool\nrain",
];

const user = { role: "user", content: "hi" };
const said = { role: "assistant", content: "Let me look." };
const call = { type: "function_call", call_id: "c1", name: "weather", arguments: '{"city":"Oslo"}' };
const output = { type: "function_call_output", call_id: "c1", output: "rain" };

it("is part of that turn in the items of /v1/responses", async () => {
  await whole("/v1/responses", { input: [user, call, said, output] });
  expect(turns()).toEqual(history);
});

it("is part of that turn where the items are those of previous_response_id", async () => {
  scene.engine.steps = [...callsFor("Oslo"), "Let me look."];
  const tools = [{ type: "function", name: "weather", parameters: { type: "object" } }];
  const first = await whole("/v1/responses", { input: [user], tools });
  expect(first.output.map(({ type }: Wire) => type)).toEqual(["function_call", "message"]);
  const [{ call_id: id }] = first.output;
  await whole("/v1/responses", { previous_response_id: first.id, input: [{ ...output, call_id: id }] });
  expect(turns()).toEqual(history);
});

it("is part of that turn in the messages of /api/chat and /v1/chat/completions", async () => {
  const asked = (values: unknown) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: values } }],
  });
  const result = { role: "tool", tool_call_id: "c1", content: "rain" };
  await whole("/api/chat", { messages: [user, asked({ city: "Oslo" }), said, result], stream: false });
  expect(turns()).toEqual(history);
  await whole("/v1/chat/completions", { messages: [user, asked('{"city":"Oslo"}'), said, result] });
  expect(turns()).toEqual(history);
});
