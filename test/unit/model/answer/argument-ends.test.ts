/** Arguments between marks: what looks like the end of one may be a part of it, and their types are those of the schema. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import { planAnswer } from "../../../../server/model/chat/answer/answer-plan.ts";
import { openChatTemplates } from "../../../support/model/chat-templates.ts";
import type { Family } from "../../../support/model/family-templates.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

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
])("an argument of %s", (family, write, close) => {
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
    "may have its end in its JSON: $value",
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

  it("ends at once where it only begins like JSON", async () => {
    const parser = (await planned({ value: {}, other: {} })).createParser();
    expect([...parser.push(write("value", "[see")), ...parser.end("stop")]).toEqual([
      { type: "tool_call", call: { name: "edit", arguments: { value: "[see" } } },
    ]);
  });

  it("has its end in none of the texts that are listed", async () => {
    const { grammar } = await planned({ value: { type: "string", enum: ["<a>", close, `x${close}`] } });
    for (const text of [close, `x${close}`]) expect(accepts(grammar?.gbnf, write("value", text))).toBe(false);
    expect(accepts(grammar?.gbnf, write("value", "<a>"))).toBe(true);
    const reply = expect(planned({ value: { type: "string", const: close } })).rejects;
    await reply.toMatchObject({ status: 400, message: expect.stringContaining(`without "${close}"`) as string });
  });

  const optionalText = { anyOf: [{ type: "string" }, { type: "null" }] };
  const definitions = {
    $defs: { text: { $ref: "#/$defs/texts" }, texts: { enum: ["1", "2", "None"] }, circle: { $ref: "#/$defs/circle" } },
  };
  it.each<[schema: object, written: string, value: unknown]>([
    [{ type: ["string", "null"] }, "12345", "12345"],
    [{ type: ["string", "null"] }, "null", null],
    [optionalText, '{"name": "demo", "version": 1.0}', '{"name": "demo", "version": 1.0}'],
    [optionalText, '"quoted"', "quoted"],
    [optionalText, "None", null],
    [{ oneOf: [{ type: "object" }, { type: "string" }] }, '{"a": 1}', { a: 1 }],
    [{ allOf: [{ type: ["string", "integer"] }, { description: "a port" }] }, "80", 80],
    [{ anyOf: [{}, { type: "null" }] }, '{"a": 1}', { a: 1 }],
    [{ enum: ["1", "2"] }, "1", "1"],
    [{ const: 1 }, "1", 1],
    [{ $ref: "#/$defs/text" }, "1", "1"],
    [{ $ref: "#/$defs/text" }, "None", "None"],
    [{ $ref: "#/$defs/circle" }, "1", 1],
    [{ type: "boolean" }, "True", true],
    [{ type: "boolean" }, "FALSE", false],
    [{ type: "integer" }, "2", 2],
    [{ type: "INTEGER" }, "2", 2],
    [{ type: "any" }, '{"a": 1}', { a: 1 }],
    [{ type: "integer" }, "about 2", "about 2"],
    [{ type: "integer" }, "null", null],
    [{ type: "array" }, "[1]", [1]],
    [{ type: "string" }, "True", "True"],
  ])("has a type that its schema %j allows: %s", async (schema, written, value) => {
    const tool = { name: "edit", parameters: { type: "object", properties: { value: schema }, ...definitions } };
    const format = (await templates.of(family)).format;
    const parser = createAnswerParser(format, { prompt: "", tools: [tool] });
    expect([...parser.push(write("value", written)), ...parser.end("stop")]).toEqual([
      { type: "tool_call", call: { name: "edit", arguments: { value } } },
    ]);
  });
});

it("an argument of Llama 4 is a text in quotes where its schema allows that, and else the value in them", async () => {
  const nullable = (type: string) => ({ anyOf: [{ type }, { type: "null" }] });
  const properties = { zip: nullable("string"), days: nullable("integer") };
  const parser = createAnswerParser((await templates.of("llama4Pythonic")).format, {
    prompt: "",
    tools: [{ name: "edit", parameters: { type: "object", properties } }],
  });
  expect([...parser.push('[edit(zip="12345", days="2")]'), ...parser.end("stop")]).toEqual([
    { type: "tool_call", call: { name: "edit", arguments: { zip: "12345", days: 2 } } },
  ]);
});
