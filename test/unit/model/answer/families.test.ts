/** Every family: its template's calls are parsed, however they are cut, and forced by its grammar. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planAnswer } from "../../../../server/model/chat/answer/answer-plan.ts";
import { createTemplateRenderer } from "../../../../server/foreign/template-renderer.ts";
import { createChatTemplates } from "../../../../server/model/chat/prompt/chat-template.ts";
import { callsOf, familyNames } from "../../../support/model/family-formats.ts";
import { callTemplates } from "../../../support/model/call-templates.ts";
import { templateLimits } from "../../../support/model/chat-templates.ts";
import { familyTemplates, weatherTool, type Family } from "../../../support/model/family-templates.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";
import { cut, outcome } from "../../../support/model/answer-outcome.ts";

const renderer = createTemplateRenderer(templateLimits);
const templates = createChatTemplates(renderer);
let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(async () => {
  await grammars.dispose();
  await renderer.close();
});

const pingTool = { name: "ping", description: "Nothing", parameters: { type: "object", properties: {} } };
const tools = [weatherTool, pingTool];
const calls = [
  { id: "functions.get_weather:0", name: "get_weather", arguments: { city: "São Paulo", days: 2 } },
  { id: "functions.ping:1", name: "ping", arguments: {} },
];

/** The prompt of a question, and the answer as the template writes it, up to the mark of its end. */
async function rendered(name: string, count: number) {
  const [, text] = callTemplates[name] ?? expect.fail(name);
  const template = await templates.compile(name, text);
  const question = { role: "user", content: "x" };
  const asked = { tools, isThinking: false, effort: undefined, bosToken: "", eosToken: "" };
  const prompt = await template.render({ ...asked, messages: [question] });
  const answer = { role: "assistant", content: "", toolCalls: calls.slice(0, count) };
  const whole = await template.render({ ...asked, messages: [question, answer, question] });
  expect(whole.startsWith(prompt)).toBe(true);
  const behind = whole.slice(prompt.length);
  const planned = planAnswer(prompt, template, {
    format: undefined,
    isOpen: false,
    tools,
    toolChoice: "required",
    severalCalls: true,
    thinking: "off",
  });
  return { template, planned, answer: behind.slice(0, behind.indexOf("<|end|>")) };
}

const single = new Set(["GigaChat 3", "GigaChat 3.1"]);

describe.each(Object.entries(callTemplates))("%s", (name, [family]) => {
  const count = single.has(name) ? 1 : 2;
  const means = { calls: calls.slice(0, count).map((call) => [call.name, call.arguments]) };

  it("is chosen because its parser returns the calls of its template", async () => {
    const { template } = await rendered(name, count);
    expect(template.hasTools).toBe(true);
    expect(template.format.calls).toBeDefined();
    expect(template.format.calls).toBe(callsOf(family) ?? template.format.calls);
  });

  it("means the same however its calls are cut, and whatever text stands before them", async () => {
    const { planned, answer } = await rendered(name, count);
    const parse = (pieces: readonly string[]) => {
      const parser = planned.createParser();
      return outcome([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end("stop")]);
    };
    expect(parse([answer])).toEqual(means);
    expect(parse([...answer])).toEqual(means);
    for (let at = 1; at < answer.length; at++) expect(parse([answer.slice(0, at), answer.slice(at)])).toEqual(means);
    const piece = fc.constantFrom(...answer.split(/(?<=[>\]} "])/), "<", "x", " ", "\n", '"', "{", "}");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), fc.array(fc.nat(), { maxLength: 10 }), (some, places) => {
        const text = some.join("");
        expect(parse(cut(text, places))).toEqual(parse([text]));
      }),
      { numRuns: 100 },
    );
  });

  it("is forced by a grammar that accepts what its template writes, and no text", async () => {
    const { planned, answer } = await rendered(name, count);
    const accepts = grammars.matcher(planned.grammar?.gbnf ?? "");
    expect(accepts(answer)).toBe(true);
    expect(accepts(answer.replace("get_weather", "get_wether"))).toBe(false);
    expect(accepts("Hello")).toBe(false);
  });

  it("gives its begun call where the limit cuts the answer, and never text of the markup", async () => {
    const { planned, answer } = await rendered(name, count);
    for (let at = 1; at < answer.length; at++) {
      const parser = planned.createParser();
      const parts = [...parser.push(answer.slice(0, at)), ...parser.end("length")];
      for (const part of parts)
        if (part.type === "tool_call" || part.type === "cut_call")
          expect(["get_weather", "ping"], answer.slice(0, at)).toContain(part.call.name);
        else expect(part.type === "content" ? part.text.length : 9, JSON.stringify([part, at])).toBeLessThanOrEqual(1);
    }
  });
});

it.each(Object.keys(familyTemplates) as Family[])(
  "the template of %s is read as that of its family",
  async (family) => {
    const template = await templates.compile(family, familyTemplates[family]);
    expect(template.format.calls).toBe(callsOf(familyNames[family]));
    expect(template.hasTools).toBe(familyNames[family] !== undefined);
  },
);

describe("tools are not claimed", () => {
  const chat = (call: string) =>
    "{%- if tools %}{{ tools | tojson }}{%- endif %}{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}" +
    `{%- for c in m.tool_calls or [] %}${call}{%- endfor %}{%- endfor %}<|assistant|>`;
  it.each([
    ["calls in a markup that nobody reads", "CALL {{ c.function.name }} WITH {{ c.function.arguments | tojson }}"],
    ["no calls, and nothing that says how to call", ""],
    ["calls without their arguments", "<tool_call>{{ c.function.name }}</tool_call>"],
  ])("for a template that writes %s", async (_what, call) => {
    const template = await templates.compile("x", chat(call));
    expect(template.hasTools).toBe(false);
    expect(template.format.calls).toBeUndefined();
  });
});
