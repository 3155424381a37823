/** Families with a markup of their own for calls: DeepSeek, Qwen's coders, Gemma. */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema, ToolDefinition } from "../chat-completion.ts";
import { literal, type GrammarRules } from "../grammar/grammar-rules.ts";
import { schemaRule } from "../grammar/schema-grammar.ts";
import { plainTextBody } from "../grammar/string-grammar.ts";
import type { ParsedCall } from "./answer-part.ts";
import { anyTool, argumentsRule, several } from "./call-grammar.ts";
import { bodyUpTo, callsOrText, type CallSyntax } from "./call-syntax.ts";
import { argumentsOf, parseJson } from "./json-in-text.ts";

const begin = "<｜tool▁call▁begin｜>";
const end = "<｜tool▁call▁end｜>";
const separator = "<｜tool▁sep｜>";

/** True when the text ends inside a JSON string: a closing there belongs to it. */
function isInString(body: string): boolean {
  const from = body.indexOf("{");
  return from >= 0 && (body.slice(from).replace(/\\./gs, "").split('"').length - 1) % 2 === 1;
}

/** `name<sep>{…}`, or `function<sep>name` and the arguments in a fenced block. */
function deepSeekCall(body: string): ParsedCall[] | undefined {
  const [head = "", ...rest] = body.split(separator);
  const behind = rest.join(separator);
  const from = behind.indexOf("{");
  const isFenced = head.trim() === "function" && from > 0;
  const name = (isFenced ? behind.slice(0, behind.search(/\n|```/)) : head).trim();
  const json = behind.slice(from).replace(/\s*```\s*$/, "");
  const given = from < 0 ? undefined : argumentsOf(parseJson(json));
  return name === "" || given === undefined ? undefined : [{ name, arguments: given }];
}

function deepSeekCalls(call: (tool: ToolDefinition, rules: GrammarRules) => string): CallSyntax {
  return {
    open: [begin],
    ignored: ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", end],
    read(text, { isEnd }) {
      const found = bodyUpTo(text, end, isEnd, isInString);
      if (found === undefined) return undefined;
      const calls = deepSeekCall(found.body);
      return callsOrText(found.body.replaceAll(separator, " "), found.length, calls);
    },
    grammar(tools, rules) {
      const one = anyTool(tools, rules, (tool) => `${literal(begin)} ${call(tool, rules)} ${literal(end)}`);
      return `"<｜tool▁calls▁begin｜>" ${several(one, '"\\n"?')} "<｜tool▁calls▁end｜>"`;
    },
  };
}
/** DeepSeek V3 and R1. */
export const deepSeekFencedCalls = deepSeekCalls(
  (tool, rules) =>
    `${literal(`function${separator}${tool.name}\n\`\`\`json\n`)} ${argumentsRule(tool, rules)} ${literal("\n```")}`,
);
/** DeepSeek V3.1. */
export const deepSeekNamedCalls = deepSeekCalls(
  (tool, rules) => `${literal(`${tool.name}${separator}`)} ${argumentsRule(tool, rules)}`,
);

/** The schemas of a tool's parameters by name. */
const parametersOf = (tool: ToolDefinition | undefined): Record<string, unknown> => {
  const properties = tool?.parameters?.["properties"];
  return isObject(properties) ? properties : {};
};
const isText = (schema: unknown): schema is JsonSchema => isObject(schema) && schema["type"] === "string";
const isRequired = (tool: ToolDefinition, name: string) => {
  const required = tool.parameters?.["required"];
  return Array.isArray(required) && required.includes(name);
};

/** Text where the schema says so, else JSON where it is some. */
const valueOf = (written: string, schema: unknown): unknown =>
  isText(schema) ? written : (parseJson(written.trim()) ?? written);

/** `<function=name><parameter=key>value</parameter></function>`. */
function xmlCall(body: string, tools: readonly ToolDefinition[]): ParsedCall[] | undefined {
  const [, name = "", inner = ""] = /^\s*<function=([^>\s]+)>(.*?)(?:<\/function>)?\s*$/s.exec(body) ?? [];
  if (name === "") return undefined;
  const schemas = parametersOf(tools.find((tool) => tool.name === name));
  const pairs = [...inner.matchAll(/<parameter=([^>]+)>\n?(.*?)\n?<\/parameter>/gs)];
  const entries = pairs.map(([, key = "", value = ""]) => [key.trim(), valueOf(value, schemas[key.trim()])] as const);
  return [{ name, arguments: Object.fromEntries(entries) }];
}

function xmlParameters(tool: ToolDefinition, rules: GrammarRules): string {
  const root = tool.parameters;
  return Object.entries(parametersOf(tool))
    .map(([name, schema]) => {
      const place = { rules, root, path: `#/tools/${tool.name}/${name}` };
      const value = isText(schema) ? plainTextBody(schema, place) : schemaRule(schema, place);
      const one = `${literal(`<parameter=${name}>\n`)} ${value} ${literal("\n</parameter>\n")}`;
      return isRequired(tool, name) ? one : `(${one})?`;
    })
    .join(" ");
}

/** Qwen3-Coder. */
export const xmlCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read(text, { isEnd, tools }) {
    const found = bodyUpTo(text, "</tool_call>", isEnd);
    if (found === undefined) return undefined;
    const calls = found.isClosed || found.body.includes("</function>") ? xmlCall(found.body, tools) : undefined;
    return callsOrText(found.body.replace(/<[^>]*>/g, " "), found.length, calls);
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

/** Members in order; those that are not required are left out, since commas would depend on them. */
function gemmaArguments(tool: ToolDefinition, texts: GemmaTexts, rules: GrammarRules): string {
  const all = Object.entries(parametersOf(tool));
  const required = all.filter(([name]) => isRequired(tool, name));
  const members = required.map(([name, schema]) => `${literal(`${name}:`)} ${gemmaValue(schema, texts, tool, rules)}`);
  const optional = all
    .filter(([name]) => !isRequired(tool, name))
    .map(([name, schema]) => `("," ${literal(`${name}:`)} ${gemmaValue(schema, texts, tool, rules)})?`);
  return members.length === 0 ? '""' : `${members.join(' "," ')} ${optional.join(" ")}`;
}

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
