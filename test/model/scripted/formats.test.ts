import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, startRulesService, type ModelService, type Wire } from "../../support/model/model-service.ts";

const rules = `
rules:
  - when: { user: { equals: fits } }
    json: { city: Oslo }
  - when: { user: { equals: as text } }
    text: '{"city": "Oslo"}'
  - when: { user: { equals: prose } }
    text: It is Oslo.
  - when: { user: { equals: wrong } }
    json: { city: 7 }
  - when: { user: { equals: call } }
    thinking: I should look.
    calls:
      - { name: weather, arguments: { city: Oslo } }
  - when: { user: { equals: wrong call } }
    calls: [{ name: weather, arguments: { city: 7 } }]
  - when: { user: { equals: other call } }
    calls: [{ name: time }]
`;
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tool = (name: string) => ({ type: "function", function: { name, parameters: schema } });

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ m: rules });
});
afterAll(() => service[Symbol.asyncDispose]());

const chat = (content: string, more: object = {}) =>
  service.post("/api/chat", { model: "m", messages: [{ role: "user", content }], stream: false, ...more });
const openai = (content: string, more: object) =>
  service.post("/v1/chat/completions", { model: "m", messages: [{ role: "user", content }], ...more });
const errorOf = async (reply: Promise<Response>) => ((await (await reply).json()) as Wire).error.message;

describe("a scripted model that must answer in a format", () => {
  it("answers with the rule's JSON, whether it is written as a value or as a text", async () => {
    expect(((await (await chat("fits", { format: schema })).json()) as Wire).message.content).toBe('{"city":"Oslo"}');
    const response_format = { type: "json_schema", json_schema: { name: "place", strict: true, schema } };
    const reply = (await (await openai("as text", { response_format })).json()) as Wire;
    expect(JSON.parse(reply.choices[0].message.content)).toEqual({ city: "Oslo" });
  });

  it("refuses with the rule, its line and the place where its answer does not match", async () => {
    expect(await refusal(await chat("prose", { format: "json" }))).toEqual([
      500,
      'the rules of "m": rule 3 (line 7): its text is not the JSON that the request demands: "It is Oslo."',
    ]);
    expect(await refusal(await chat("wrong", { format: schema }))).toEqual([
      500,
      'the rules of "m": rule 4 (line 9): its text does not match the format of the request: /city must be a text, not a number',
    ]);
    const sky = { type: "object", properties: { sky: { type: "string" } }, required: ["sky"] };
    expect(await refusal(await chat("fits", { format: sky }))).toEqual([
      500,
      'the rules of "m": rule 1 (line 3): its text does not match the format of the request: /sky is missing',
    ]);
  });

  it("is refused a schema that no model can be held to, as others are", async () => {
    const [status] = await refusal(await chat("fits", { format: { type: "strange" } }));
    expect(status).toBe(400);
  });
});

describe("a scripted model with tools", () => {
  it("calls them in every API, with its thoughts", async () => {
    const tools = [tool("weather")];
    const native = (await (await chat("call", { tools })).json()) as Wire;
    expect(native.message).toMatchObject({
      content: "",
      thinking: "I should look.",
      tool_calls: [{ function: { name: "weather", arguments: { city: "Oslo" } } }],
    });
    const [choice] = ((await (await openai("call", { tools, tool_choice: "required" })).json()) as Wire).choices;
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { reasoning: "I should look." } });
    const anthropic = await service.post("/v1/messages", {
      model: "m",
      max_tokens: 99,
      messages: [{ role: "user", content: "call" }],
      tools: [{ name: "weather", input_schema: schema }],
      tool_choice: { type: "tool", name: "weather" },
    });
    expect(((await anthropic.json()) as Wire).content.at(-1)).toMatchObject({
      type: "tool_use",
      input: { city: "Oslo" },
    });
    const responses = await service.post("/v1/responses", {
      model: "m",
      input: "call",
      tools: [{ type: "function", name: "weather", parameters: schema }],
    });
    expect(((await responses.json()) as Wire).output.at(-1)).toMatchObject({ type: "function_call", name: "weather" });
  });

  it("refuses when its rule has no call that tool_choice demands, or one that no tool takes", async () => {
    const tools = [tool("weather"), tool("time")];
    const named = (name: string) => ({ tools, tool_choice: { type: "function", function: { name } } });
    expect(await errorOf(openai("fits", { tools, tool_choice: "required" }))).toBe(
      'the rules of "m": rule 1 (line 3): tool_choice demands a call',
    );
    expect(await errorOf(openai("call", named("time")))).toBe(
      'the rules of "m": rule 5 (line 11): tool_choice demands a call of "time"',
    );
    expect(await errorOf(openai("wrong call", { tools, tool_choice: "required" }))).toBe(
      'the rules of "m": rule 6 (line 15): the arguments of its call "weather" do not match the tool: /city must be a text, not a number',
    );
    expect(await errorOf(openai("other call", { tools: [tool("weather")] }))).toBe(
      'the rules of "m": rule 7 (line 17): it calls "time", which the request does not offer as a tool',
    );
    expect((await openai("wrong call", { tools })).status).toBe(200);
  });
});
