import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, startRulesService, type ModelService, type Wire } from "../../support/model/model-service.ts";

const weather = { type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } };
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const rules = `
rules:
  - when: { user: { equals: exactly } }
    text: equals
  - when: { user: { contains: "a part" } }
    text: contains
  - when: { user: { matches: "^\\\\d+ (?:apples|pears)$" } }
    text: matches
  - when: { system: { contains: pirate } }
    text: system
  - when: { tool_result: { contains: rain } }
    text: result
  - when: { tool_result: true }
    text: any result
  - when: { tools: [weather] }
    text: tools
  - when: { images: true }
    text: images
  - when: { format: true }
    json: { format: yes }
  - when: { model: "other:latest" }
    text: model
  - when: { role: critic }
    text: role
  - when: { turns: 3 }
    text: three turns
  - when: { turns: { least: 4 } }
    text: many turns
  - when: { user: { equals: twice } }
    times: 2
    text: one of two
  - when: { user: { equals: twice } }
    text: after two
`;

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ m: rules, other: rules, "with-default": `${rules}  - text: default\n` });
});
afterAll(() => service[Symbol.asyncDispose]());

const user = (content: string) => ({ role: "user", content });
const ask = (messages: readonly object[], more: object = {}) =>
  service.post("/api/chat", { model: "m", messages, stream: false, ...more });
const answer = async (messages: readonly object[], more: object = {}) =>
  ((await (await ask(messages, more)).json()) as Wire).message.content;

describe("the rules of a scripted model", () => {
  it("match the last text of the user: the whole, a part, or a regular expression", async () => {
    expect(await answer([user(" exactly\n")])).toBe("equals");
    expect(await answer([user("exactly"), { role: "assistant", content: "?" }, user("this is a part of it")])).toBe(
      "contains",
    );
    expect(await answer([user("12 pears")])).toBe("matches");
  });

  it("match system messages, roles, the number of turns, images and the model's name", async () => {
    expect(await answer([{ role: "system", content: "You are a pirate." }, user("x")])).toBe("system");
    expect(await answer([user("x"), { role: "critic", content: "bad" }])).toBe("role");
    expect(await answer(["a", "b", "c"].flatMap((text) => [user(text), { role: "assistant", content: "." }]))).toBe(
      "three turns",
    );
    expect(
      await answer(["a", "b", "c", "d"].map(user).flatMap((one) => [one, { role: "assistant", content: "." }])),
    ).toBe("many turns");
    expect(await answer([{ ...user("x"), images: [pixel] }])).toBe("images");
    expect(await answer([user("x")], { model: "other:latest" })).toBe("model");
  });

  it("match the offered tools, their results, and the demand of a format", async () => {
    expect(await answer([user("x")], { tools: [weather] })).toBe("tools");
    const called = { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: {} } }] };
    const result = (content: string) => [user("x"), called, { role: "tool", content, tool_name: "weather" }];
    expect(await answer(result("rain"), { tools: [weather] })).toBe("result");
    expect(await answer(result("sun"), { tools: [weather] })).toBe("any result");
    expect(await answer([user("x")], { format: "json" })).toBe('{"format":"yes"}');
  });

  it("answer as often as `times` says, also across an unload, and then leave it to those behind them", async () => {
    expect(await answer([user("twice")])).toBe("one of two");
    expect((await service.post("/api/chat", { model: "m", messages: [], keep_alive: 0 })).status).toBe(200);
    expect(await answer([user("twice")])).toBe("one of two");
    expect(await answer([user("twice")])).toBe("after two");
  });

  it("answer by default what nothing before matches, and otherwise 500 with the model's name and the last text", async () => {
    expect(await answer([user("hm")], { model: "with-default" })).toBe("default");
    expect(await refusal(await ask([user("hm")]))).toEqual([
      500,
      'the rules of "m": no rule matches this request with the last text "hm"',
    ]);
  });

  it("answer prompts of /api/generate and /v1/completions, too", async () => {
    const reply = await service.post("/api/generate", { model: "m", prompt: "exactly", stream: false });
    expect(await reply.json()).toMatchObject({ response: "equals", done: true });
    const raw = await service.post("/api/generate", { model: "m", prompt: "exactly", raw: true, stream: false });
    expect(await raw.json()).toMatchObject({ response: "equals" });
    const openai = await service.post("/v1/completions", { model: "m", prompt: "exactly" });
    expect(((await openai.json()) as Wire).choices[0].text).toBe("equals");
  });
});
