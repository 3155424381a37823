/** What templates show of calls, which ids and efforts they accept: found out by trying, on templates of every kind. */
import { afterAll, describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../../server/model/chat-completion.ts";
import { chatMessages } from "../../../../server/model/chat/prompt/chat-messages.ts";
import type { TemplateInput } from "../../../../server/model/chat/prompt/chat-template.ts";
import { openChatTemplates } from "../../../support/model/chat-templates.ts";
import { weatherTool } from "../../../support/model/family-templates.ts";

const templates = openChatTemplates();
afterAll(() => templates.close());

const question: ChatMessage = { role: "user", content: "x" };
const turns = (id: string, content = ""): ChatMessage[] => [
  question,
  { role: "assistant", content, toolCalls: [{ id, name: "get_weather", arguments: { city: "Oslo" } }] },
  { role: "tool", content: "rain", toolCallId: id },
];
async function render(text: string, messages: readonly ChatMessage[], more: Partial<TemplateInput> = {}) {
  const template = await templates.compile(text);
  const input = { tools: [], isThinking: true, effort: undefined, bosToken: "", eosToken: "", ...more };
  return template.render({ messages: chatMessages(messages), ...input });
}

const shownTools = "{% if tools %}{{ tools | tojson }}\n{% endif %}";
const plainTurn = "{{ m.role }}: {{ m.content }}\n";
const shownCall = "call {{ m.tool_calls[0].function.name }} {{ m.tool_calls[0].function.arguments | tojson }}\n";
const loop = (body: string) => `${shownTools}{% for m in messages %}${body}{% endfor %}`;
const calledAsText = 'Called get_weather with {"city":"Oslo"}.';
const resultAsText = "user: Result of get_weather:\nrain\n";

describe("calls and results", () => {
  it.each<[string, template: string, call: string, result: string]>([
    ["that a template with tools never shows are text", loop(plainTurn), `assistant: ${calledAsText}\n`, resultAsText],
    [
      "of which it shows only the name are text",
      loop(`{% if m.tool_calls %}call {{ m.tool_calls[0].function.name }}\n{% else %}${plainTurn}{% endif %}`),
      `assistant: ${calledAsText}\n`,
      resultAsText,
    ],
    [
      "are as it shows them",
      loop(`{% if m.tool_calls %}${shownCall}{% else %}${plainTurn}{% endif %}`),
      'call get_weather {"city": "Oslo"}\n',
      "tool: rain\n",
    ],
    [
      "of which it drops the results are calls, and text of the user",
      loop(`{% if m.tool_calls %}${shownCall}{% elif m.role != 'tool' %}${plainTurn}{% endif %}`),
      'call get_weather {"city": "Oslo"}\n',
      resultAsText,
    ],
    [
      "of which it refuses the results are text",
      loop(
        `{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}{% if m.tool_calls %}${shownCall}{% else %}${plainTurn}{% endif %}`,
      ),
      `assistant: ${calledAsText}\n`,
      resultAsText,
    ],
  ])("%s", async (_what, template, call, result) => {
    for (const tools of [[], [weatherTool]]) {
      const prompt = await render(template, turns("call_1"), { tools });
      expect(prompt.slice(prompt.indexOf("user:"))).toBe(`user: x\n${call}${result}`);
    }
  });

  it("that a template shows only together with tools are text without any", async () => {
    const template = loop(`{% if m.tool_calls and tools %}${shownCall}{% else %}${plainTurn}{% endif %}`);
    expect(await render(template, turns("c"), { tools: [weatherTool] })).toContain(
      '\ncall get_weather {"city": "Oslo"}\n',
    );
    expect(await render(template, turns("c"))).toContain(`assistant: ${calledAsText}\n`);
  });

  it("stand behind a text where the template shows only one of the two", async () => {
    const template = loop(`{% if m.tool_calls %}${shownCall}{% else %}${plainTurn}{% endif %}`);
    expect(await render(template, turns("c", "One moment."))).toContain("assistant: One moment.\ncall get_weather");
    const other = loop(`{% if m.content or not m.tool_calls %}${plainTurn}{% else %}${shownCall}{% endif %}`);
    expect(await render(other, turns("c", "One moment."))).toContain("assistant: One moment.\ncall get_weather");
  });
});

it.each(["< 9", "!= 9", "> 9"])(
  "ids of calls have nine letters and digits where a template refuses those %s",
  async (test) => {
    const refuse = `{% if m.tool_calls[0].id | length ${test} %}{{ raise_exception('id') }}{% endif %}`;
    const template = loop(
      `{% if m.tool_calls %}${refuse}{{ m.tool_calls[0].id }}\n{{ m.tool_calls }}${shownCall}{% else %}${plainTurn}{% endif %}`,
    );
    for (const id of ["c1", "call_ab12cd34ef"]) expect(await render(template, turns(id))).toMatch(/^[a-zA-Z0-9]{9}$/m);
  },
);

describe("an effort", () => {
  const ask = (template: string, effort: TemplateInput["effort"]) => render(template, [question], { effort });
  const listed = (variable: string, levels: string) =>
    `{% if ${variable} is defined and ${variable} not in [${levels}] %}{{ raise_exception('effort') }}{% endif %}{{ ${variable} }}`;

  it.each<[accepted: string, expected: readonly string[]]>([
    ["'low', 'medium', 'xhigh'", ["low", "medium", "xhigh", "xhigh"]],
    ["'low', 'high', 'max'", ["low", "high", "high", "max"]],
    ["'no_think', 'low', 'high'", ["low", "high", "high", "high"]],
    ["'minimal', 'medium'", ["medium", "medium", "medium", "medium"]],
    ["'none'", ["", "", "", ""]],
  ])("that a template refuses becomes its neighbour in %s", async (accepted, expected) => {
    const levels = ["low", "medium", "high", "max"] as const;
    for (const variable of ["reasoning_effort", "thinking_effort"])
      expect(await Promise.all(levels.map((level) => ask(listed(variable, accepted), level)))).toEqual(expected);
  });

  it("stays what it is where the template accepts any", async () => {
    expect(await ask("{{ reasoning_effort }}", "max")).toBe("max");
    expect(await ask("{{ reasoning_effort }}", undefined)).toBe("");
  });
});
