import { afterAll, describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../../server/model/chat-completion.ts";
import { chatMessages } from "../../../../server/model/chat/prompt/chat-messages.ts";
import { TemplateError } from "../../../../server/foreign/template-renderer.ts";
import { createChatTemplates, type TemplateInput } from "../../../../server/model/chat/prompt/chat-template.ts";
import { openChatTemplates } from "../../../support/model/chat-templates.ts";
import { familyTemplates, weatherTool, type Family } from "../../../support/model/family-templates.ts";

const templates = openChatTemplates();
afterAll(() => templates.close());
const render = async (family: Family, messages: readonly ChatMessage[], given: Partial<TemplateInput> = {}) =>
  (await templates.of(family)).render({
    messages: chatMessages(messages),
    tools: [],
    isThinking: true,
    effort: undefined,
    bosToken: "<s>",
    eosToken: "</s>",
    ...given,
  });

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
const system = (content: string): ChatMessage => ({ role: "system", content });
const call = (id: string, city: string) => ({ id, name: "get_weather", arguments: { city } });
const calling = (...toolCalls: ReturnType<typeof call>[]): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls,
});
const result = (content: string, more: Partial<ChatMessage> = {}): ChatMessage => ({ role: "tool", content, ...more });

it("a template that had no time on a busy machine is tried again", async () => {
  let tries = 0;
  const busy = createChatTemplates({
    check: async () => {
      if (++tries === 1) throw new TemplateError({ kind: "out_of_time", message: "takes longer than 250 ms" });
    },
    render: () => Promise.resolve(""),
    close: () => Promise.resolve(),
  });
  await expect(busy.compile("m", "{{ messages }}")).rejects.toThrow("takes longer");
  await busy.compile("m", "{{ messages }}");
  await busy.compile("m", "{{ messages }}");
  expect(tries).toBe(2);
});

describe("what a template can do is found out by trying it:", () => {
  it.each<[Family, tools: boolean, thinking: boolean]>([
    ["qwen25", true, false],
    ["qwen3", true, true],
    ["qwenCoder", true, false],
    ["llama3", true, false],
    ["mistral", true, false],
    ["magistral", true, true],
    ["gemma2", false, false],
    ["functionGemma", true, false],
    ["phi4Mini", true, false],
    ["deepSeekR1", true, true],
    ["deepSeekV31", true, true],
    ["gptOss", true, true],
    ["glm45", true, true],
    ["llama4", true, false],
    ["llama4Pythonic", true, false],
  ])("%s: tools %s, thinking %s", async (family, hasTools, hasThinking) => {
    await expect(templates.of(family)).resolves.toMatchObject({ hasTools, hasThinking });
  });
});

describe("tools and their results", () => {
  const toolFamilies = (Object.keys(familyTemplates) as Family[]).filter((family) => family !== "gemma2");

  it.each(toolFamilies)("reach the model of %s", async (family) => {
    expect(await render(family, [user("x")], { tools: [weatherTool] })).toContain("get_weather");
  });

  it.each(toolFamilies)("of earlier turns reach that of %s", async (family) => {
    const turn = { ...calling(call("call_ab12cd34", "Oslo")), content: "One moment." };
    for (const tools of [[weatherTool], []]) {
      const prompt = await render(family, [user("x"), turn, result("rain")], { tools });
      for (const word of ["One moment.", "get_weather", "Oslo", "rain"]) expect(prompt).toContain(word);
    }
  });

  it("are paired by id, by name and by order", () => {
    const calls = calling(call("a", "Oslo"), call("b", "Paris"));
    const [, first, second] = chatMessages([calls, result("1", { toolCallId: "b" }), result("2")]);
    expect([first?.toolCallId, second?.toolCallId, second?.toolName]).toEqual(["b", "a", "get_weather"]);
  });

  it("are given one by one to a template that takes no more", async () => {
    const prompt = await render("llama3", [
      user("x"),
      calling(call("a", "Oslo"), call("b", "Paris")),
      result("rain", { toolCallId: "a" }),
      result("sun", { toolCallId: "b" }),
    ]);
    expect(prompt).toMatch(/Oslo[^]*rain[^]*Paris[^]*sun/);
  });

  it("are described to the model of DeepSeek R1 in its system message, since its own template shows none", async () => {
    const prompt = await render("deepSeekR1", [system("be brief"), user("x"), system("really")], {
      tools: [weatherTool],
    });
    expect(prompt).toMatch(
      /^<s>be brief\n\nreally\n\n## Tools[^]*"name":"get_weather"[^]*<｜User｜>x<｜Assistant｜><think>\n$/,
    );
    expect(await render("deepSeekR1", [system("be brief"), user("x")])).toBe(
      "<s>be brief<｜User｜>x<｜Assistant｜><think>\n",
    );
  });

  it("are described to the model of DeepSeek V3.1 in the form of its calls", async () => {
    const prompt = await render("deepSeekV31", [user("x")], { tools: [weatherTool] });
    expect(prompt).toMatch(
      /^<s>## Tools[^]*"name":"get_weather"[^]*begin｜>NAME<｜tool▁sep｜>\{"argument": "value"\}<｜/,
    );
  });

  it("of two calls at once all reach the model of a template that shows one", async () => {
    const calls = calling(call("a", "Oslo"), call("b", "Paris"));
    const prompt = await render("gptOss", [user("x"), calls, result("rain"), result("sun")]);
    expect(prompt).toMatch(/Oslo[^]*rain[^]*Paris[^]*sun/);
  });

  it("keep a text and thoughts before a call, in a template that accepts only one of them", async () => {
    const turn = { ...calling(call("a", "Oslo")), content: "One moment.", thinking: "Look." };
    const prompt = await render("gptOss", [user("x"), turn, result("rain")]);
    expect(prompt).toMatch(/final<\|message\|>One moment\.[^]*analysis<\|message\|>Look\.[^]*Oslo[^]*rain/);
  });

  it("may be followed by what the user says, in a template that wants turns", async () => {
    const prompt = await render("magistral", [user("x"), calling(call("a", "Oslo")), result("rain"), user("and now?")]);
    expect(prompt).toMatch(/rain\[\/TOOL_RESULTS\]OK\.<\/s>\[INST\]and now\?\[\/INST\]$/);
  });

  it("keep the text before a call, in a template that accepts calls only without content", async () => {
    const turn = { ...calling(call("a", "Oslo")), content: "One moment." };
    const prompt = await render("deepSeekR1", [user("x"), turn, result("rain")]);
    expect(prompt).toMatch(/One moment\.[^]*tool▁call▁begin[^]*Oslo[^]*rain/);
  });

  it("are text in a template that shows none, each at its place in the turns", async () => {
    const turn = { ...calling(call("a", "Oslo"), call("b", "Paris")), content: "One moment." };
    const results = [result("rain", { toolCallId: "a" }), result("sun", { toolCallId: "b" })];
    const prompt = await render("gemma2", [user("x"), turn, ...results, user("and now?"), assistant("Go."), user("z")]);
    expect(prompt).toMatch(
      /user\nx<[^]*model\nOne moment\.\n\nCalled get_weather with \{"city":"Oslo"\}\.\nCalled [^]*Paris[^]*<end_of_turn>\n<start_of_turn>user\nResult of get_weather:\nrain\n\nResult of get_weather:\nsun\n\nand now\?<[^]*model\nGo\.<[^]*user\nz</,
    );
    expect(await render("gemma2", [result("rain")])).toContain("user\nResult of a call:\nrain<");
  });

  it("have ids of nine characters where the template insists", async () => {
    const prompt = await render("mistral", [user("x"), calling(call("call_ab12cd34", "Oslo")), result("rain")]);
    const [, id] = /"id": "([a-zA-Z0-9]{9})"/.exec(prompt) ?? [];
    expect(prompt).toContain(`"call_id": "${id}"`);
  });
});

describe("strict templates", () => {
  it("that know no system role get its text in the user's message", async () => {
    expect(await render("gemma2", [system("be brief"), user("x")])).toContain(
      "<start_of_turn>user\nbe brief\n\nx<end_of_turn>",
    );
  });
  it.each<Family>(["deepSeekR1", "gptOss"])(
    "that show one system message get all of them as one: %s",
    async (family) => {
      const prompt = await render(family, [system("be brief"), user("x"), assistant("y"), system("really"), user("z")]);
      expect(prompt).toMatch(/be brief\n\nreally[^]*x[^]*y[^]*z/);
    },
  );
  it("that refuse an empty answer do not see it", async () => {
    expect(await render("magistral", [user("x"), assistant(""), user("z")])).toBe("<s>[INST]x\n\nz[/INST]");
  });
  it("that refuse several things get a history without all of them", async () => {
    const history = [assistant("old"), user("x"), calling(call("a", "Oslo")), result("rain"), user("y"), assistant("")];
    const prompt = await render("magistral", [...history, user("z")]);
    expect(prompt).toMatch(/^<s>\[INST\]x[^]*rain[^]*OK\.<\/s>\[INST\]y\n\nz\[\/INST\]$/);
  });
  it("that want turns get messages of one role as one", async () => {
    expect(await render("gemma2", [user("a"), user("b"), assistant("c"), user("d")])).toContain(
      "user\na\n\nb<end_of_turn>",
    );
  });
  it("that want the user first do not see an answer whose question was left out", async () => {
    expect(await render("gemma2", [assistant("old"), user("x")])).not.toContain("old");
  });
});

describe("thinking", () => {
  it("is switched by the template's own variable", async () => {
    expect(await render("qwen3", [user("x")], { isThinking: false })).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(await render("qwen3", [user("x")])).toMatch(/assistant\n$/);
    expect(await render("deepSeekV31", [user("x")], { isThinking: false })).toMatch(/<\/think>$/);
    expect(await render("deepSeekV31", [user("x")])).toMatch(/<think>$/);
    expect(await render("glm45", [user("x")], { isThinking: false })).toMatch(
      /x\/nothink<\|assistant\|>\n<think><\/think>$/,
    );
    expect(await render("gptOss", [user("x")], { effort: "high" })).toContain("Reasoning: high");
  });
});
