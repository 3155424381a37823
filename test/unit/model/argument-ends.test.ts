/** Arguments between marks: what looks like the end of one may be a part of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planAnswer } from "../../../server/model/answer/answer-plan.ts";
import { openChatTemplates } from "../../support/model/chat-templates.ts";
import type { Family } from "../../support/model/family-templates.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(async () => {
  await grammars.dispose();
  await templates.close();
});

const templates = openChatTemplates();
const accepts = (gbnf: string | undefined, text: string) => grammars.matcher(gbnf ?? "")(text);

describe.each<[Family, write: (name: string, value: string) => string, close: string]>([
  [
    "qwenCoder",
    (name, value) =>
      `<tool_call>\n<function=edit>\n<parameter=${name}>\n${value}\n</parameter>\n</function>\n</tool_call>`,
    "</parameter>",
  ],
  [
    "glm45",
    (name, value) => `<tool_call>edit<arg_key>${name}</arg_key><arg_value>${value}</arg_value></tool_call>`,
    "</arg_value>",
  ],
])("the end of an argument of %s", (family, write, close) => {
  const planned = async (properties: object) =>
    planAnswer("x", await templates.of(family), {
      format: undefined,
      isOpen: false,
      tools: [{ name: "edit", parameters: { type: "object", properties } }],
      toolChoice: "required",
      severalCalls: true,
      thinking: "off",
    });

  it.each([{ value: { a: `${close}"\\` } }, { value: [`x ${close} y`, { b: [close] }] }, { value: close }])(
    "may be in its JSON: $value",
    async ({ value }) => {
      const prompt = await planned({ value: { enum: [value] } });
      const text = write("value", JSON.stringify(value));
      expect(accepts(prompt.grammar?.gbnf, text)).toBe(true);
      const parser = prompt.createParser();
      expect([...Array.from(text).flatMap((piece) => parser.push(piece)), ...parser.end("stop")]).toEqual([
        { type: "tool_call", call: { name: "edit", arguments: { value } } },
      ]);
      const cut = prompt.createParser();
      const begun = text.slice(0, text.indexOf(close) + close.length + 1);
      expect([...cut.push(begun), ...cut.end("length")]).toEqual([
        { type: "cut_call", call: { name: "edit", arguments: "{" } },
      ]);
    },
  );

  it("is looked for at once where the argument only begins like JSON", async () => {
    const parser = (await planned({ value: {}, other: {} })).createParser();
    expect([...parser.push(write("value", "[see")), ...parser.end("stop")]).toEqual([
      { type: "tool_call", call: { name: "edit", arguments: { value: "[see" } } },
    ]);
  });

  it("is in none of the texts that are listed", async () => {
    const { grammar } = await planned({ value: { type: "string", enum: ["<a>", close, `x${close}`] } });
    for (const text of [close, `x${close}`]) expect(accepts(grammar?.gbnf, write("value", text))).toBe(false);
    expect(accepts(grammar?.gbnf, write("value", "<a>"))).toBe(true);
    const reply = expect(planned({ value: { type: "string", const: close } })).rejects;
    await reply.toMatchObject({ status: 400, message: expect.stringContaining(`without "${close}"`) as string });
  });
});
