/** Families with a markup of their own for calls: Qwen's coders, GLM, Gemma. */
import { isObject } from "../../contract/is-object.ts";
import type { ToolDefinition } from "../chat-completion.ts";
import { literal, type GrammarRules } from "../grammar/grammar-rules.ts";
import { schemaRule } from "../grammar/schema-grammar.ts";
import { plainTextBody } from "../grammar/string-grammar.ts";
import type { ParsedCall } from "./answer-part.ts";
import { anyTool, several } from "./call-grammar.ts";
import { bodyUpTo, callsOrText, type CallSyntax } from "./call-syntax.ts";
import { parseJson } from "./json-in-text.ts";
import { argumentList, isRequired, isText, parametersOf, valueOf, withoutTags } from "./tool-parameters.ts";

/** `<function=name><parameter=key>value</parameter></function>`. */
function xmlCall(body: string, tools: readonly ToolDefinition[]): ParsedCall[] | undefined {
  const [, name = "", inner = ""] = /^\s*<function=([^>\s]+)>(.*?)(?:<\/function>)?\s*$/s.exec(body) ?? [];
  if (name === "") return undefined;
  const schemas = parametersOf(tools.find((tool) => tool.name === name));
  const pairs = [...inner.matchAll(/<parameter=([^>]+)>\n?(.*?)\n?<\/parameter>/gs)];
  const entries = pairs.map(([, key = "", value = ""]) => [key.trim(), valueOf(value, schemas[key.trim()])] as const);
  return [{ name, arguments: Object.fromEntries(entries) }];
}

/** Arguments one by one: `around` gives the texts before and behind the value of one. */
function taggedArguments(
  tool: ToolDefinition,
  rules: GrammarRules,
  around: (name: string) => readonly [before: string, behind: string],
): string {
  return Object.entries(parametersOf(tool))
    .map(([name, schema]) => {
      const place = { rules, root: tool.parameters, path: `#/tools/${tool.name}/${name}` };
      const value = isText(schema) ? plainTextBody(schema, place) : schemaRule(schema, place);
      const [before, behind] = around(name);
      const one = `${before} ${value} ${behind}`;
      return isRequired(tool, name) ? one : `(${one})?`;
    })
    .join(" ");
}

const xmlParameters = (tool: ToolDefinition, rules: GrammarRules) =>
  taggedArguments(tool, rules, (name) => [literal(`<parameter=${name}>\n`), literal("\n</parameter>\n")]);

/** Qwen3-Coder. */
export const xmlCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read(text, { isEnd, tools }) {
    const found = bodyUpTo(text, "</tool_call>", isEnd);
    if (found === undefined) return undefined;
    const calls = found.isClosed || found.body.includes("</function>") ? xmlCall(found.body, tools) : undefined;
    return callsOrText(withoutTags(found.body), found.length, calls);
  },
  grammar: (tools, rules) =>
    several(
      anyTool(
        tools,
        rules,
        (tool) =>
          `${literal(`<tool_call>\n<function=${tool.name}>\n`)} ${xmlParameters(tool, rules)} ${literal("</function>\n</tool_call>")}`,
      ),
      '"\\n"',
    ),
};

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>`, line ends between the parts. */
function glmCall(body: string, tools: readonly ToolDefinition[]): ParsedCall[] | undefined {
  const [, name = "", inner = ""] = /^\s*([^\s<{]+)\s*(<arg_key>.*)?$/s.exec(body.trimEnd()) ?? [];
  if (name === "") return undefined;
  const schemas = parametersOf(tools.find((tool) => tool.name === name));
  const pairs = inner.matchAll(/<arg_key>(.*?)<\/arg_key>\s*<arg_value>(.*?)<\/arg_value>/gs);
  const entries = [...pairs].map(([, key = "", value = ""]) => {
    const named = key.trim();
    return [named, valueOf(value, schemas[named])] as const;
  });
  return [{ name, arguments: Object.fromEntries(entries) }];
}

/** GLM 4.5 and later. */
export const glmCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read(text, { isEnd, tools }) {
    const isInValue = (body: string) => body.lastIndexOf("<arg_value>") > body.lastIndexOf("</arg_value>");
    const found = bodyUpTo(text, "</tool_call>", isEnd, isInValue);
    if (found === undefined) return undefined;
    const calls = found.isClosed ? glmCall(found.body, tools) : undefined;
    return callsOrText(withoutTags(found.body), found.length, calls);
  },
  grammar(tools, rules) {
    const around = (name: string) =>
      [`${literal(`<arg_key>${name}</arg_key>`)} "\\n"? "<arg_value>"`, '"</arg_value>" "\\n"?'] as const;
    const call = anyTool(
      tools,
      rules,
      (tool) => `${literal(`<tool_call>${tool.name}`)} "\\n"? ${taggedArguments(tool, rules, around)} "</tool_call>"`,
    );
    return several(call, '"\\n"?');
  },
};

/** The texts of a Gemma markup: around a call, and around a string. */
interface GemmaTexts {
  readonly open: string;
  readonly close: string;
  readonly quote: string;
}

/** `call:name{key:value}`: JSON whose keys are bare and whose strings stand between the family's own quotes. */
function gemmaCall(body: string, quote: string): ParsedCall[] | undefined {
  const [, name = "", inside = ""] = /^\s*call:\s*([\w.-]+)\s*(\{.*\})\s*$/s.exec(body) ?? [];
  if (name === "") return undefined;
  // Every second piece is a string's text.
  const json = inside
    .split(quote)
    .map((piece, at) => (at % 2 === 1 ? JSON.stringify(piece) : piece.replace(/([{,]\s*)([\w.-]+)\s*:/g, '$1"$2":')))
    .join("");
  const given = parseJson(json);
  return isObject(given) ? [{ name, arguments: given }] : undefined;
}

function gemmaValue(schema: unknown, { quote }: GemmaTexts, tool: ToolDefinition, rules: GrammarRules): string {
  const place = { rules, root: tool.parameters, path: `#/tools/${tool.name}` };
  if (isText(schema)) return `${literal(quote)} ${plainTextBody(schema, place)} ${literal(quote)}`;
  return schemaRule(schema, place);
}

const gemmaArguments = (tool: ToolDefinition, texts: GemmaTexts, rules: GrammarRules) =>
  argumentList(tool, '","', (name, schema) => `${literal(`${name}:`)} ${gemmaValue(schema, texts, tool, rules)}`);

function gemmaCalls(texts: GemmaTexts): CallSyntax {
  return {
    open: [texts.open],
    ignored: [texts.close],
    read(text, { isEnd }) {
      const isInside = (body: string) => body.split(texts.quote).length % 2 === 0;
      const found = bodyUpTo(text, texts.close, isEnd, isInside);
      if (found === undefined) return undefined;
      return callsOrText(found.body.replaceAll(texts.quote, ""), found.length, gemmaCall(found.body, texts.quote));
    },
    grammar: (tools, rules) =>
      several(
        anyTool(
          tools,
          rules,
          (tool) =>
            `${literal(`${texts.open}call:${tool.name}{`)} ${gemmaArguments(tool, texts, rules)} ${literal(`}${texts.close}`)}`,
        ),
        '""',
      ),
  };
}
/** FunctionGemma. */
export const functionGemmaCalls = gemmaCalls({
  open: "<start_function_call>",
  close: "<end_function_call>",
  quote: "<escape>",
});
/** Gemma 4. */
export const gemma4Calls = gemmaCalls({ open: "<|tool_call>", close: "<tool_call|>", quote: '<|"|>' });
