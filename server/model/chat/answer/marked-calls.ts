/** Families whose calls have a markup of their own: Qwen's coders, GLM, Gemma. */
import { isObject } from "../../../contract/is-object.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { schemaRule } from "../../grammar/schema-grammar.ts";
import { topPlace } from "../../grammar/schema-place.ts";
import { plainTextBody } from "../../grammar/string-grammar.ts";
import type { CutCallPart, ParsedCall } from "./answer-part.ts";
import { glmPair, namedArguments, xmlPair, type ArgumentsOptions, type NamedArguments } from "./argument-pairs.ts";
import { anyTool, several } from "./call-grammar.ts";
import { bodyUpTo, callsOrText, isName, unclosedObject, type CallSyntax, type CutCalls } from "./call-syntax.ts";
import { argumentList, isRequired, isTextSchema, namedParameters, withoutTags } from "./tool-parameters.ts";

const wholeCalls = (call: NamedArguments | undefined): ParsedCall[] | undefined =>
  call && [{ name: call.name, arguments: Object.fromEntries(call.entries) }];
const cutCall = (call: NamedArguments | undefined): CutCalls => ({
  calls: [],
  cut: call && { name: call.name, arguments: unclosedObject(call.entries) },
});

/** For a piece of text: whether it ends inside a value between these texts, to which a closing would belong. */
const endsBetween =
  (open: string, close: string) =>
  (piece: string, wasInside: boolean): boolean => {
    const [opened, closed] = [piece.lastIndexOf(open), piece.lastIndexOf(close)];
    return opened === closed ? wasInside : opened > closed;
  };
const isInParameter = endsBetween("<parameter=", "</parameter>");
const isInValue = endsBetween("<arg_value>", "</arg_value>");

const functionEnd = "</function>";
/** Whether the call has ended, and not only a value mentions that. */
const hasEnded = (text: string) =>
  text.lastIndexOf(functionEnd) > text.lastIndexOf("</parameter>") && !isInParameter(text, false);
/** The same, but weak models end a call without the end of its last parameter. */
const isInCall = (piece: string, wasInside: boolean) =>
  isInParameter(piece, wasInside) && !piece.trimEnd().endsWith(functionEnd);

/** `<function=name><parameter=key>value</parameter></function>`. */
function xmlCall(body: string, options: ArgumentsOptions): NamedArguments | undefined {
  const [, name = "", inner = ""] = /^\s*<function=([^>]+)>(.*)$/s.exec(body) ?? [];
  return isName(name, options.tools) ? namedArguments(name, inner, xmlPair, options) : undefined;
}

/** Arguments one by one: `around` returns the texts before and behind a value, which `close` begins. */
function taggedArguments(
  tool: ToolDefinition,
  rules: GrammarRules,
  close: string,
  around: (name: string) => readonly [before: string, behind: string],
): string {
  return namedParameters(tool)
    .map(([name, schema]) => {
      const place = topPlace({ rules, root: tool.parameters, path: `#/tools/${tool.name}/${name}` });
      const value = isTextSchema(schema) ? plainTextBody(schema, place, close) : schemaRule(schema, place);
      const [before, behind] = around(name);
      const one = `${before} ${value} ${behind}`;
      return isRequired(tool, name) ? one : `${rules.add(name, one)}?`;
    })
    .join(" ");
}

const xmlParameters = (tool: ToolDefinition, rules: GrammarRules) =>
  taggedArguments(tool, rules, "</parameter>", (name) => [
    literal(`<parameter=${name}>\n`),
    literal("\n</parameter>\n"),
  ]);

/** Qwen3-Coder. */
export const xmlCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read(text, context) {
    const { tools } = context;
    const found = bodyUpTo(text, "</tool_call>", context, isInCall);
    if (found === undefined) return undefined;
    const call = found.isClosed || hasEnded(found.body) ? xmlCall(found.body, { tools }) : undefined;
    return callsOrText(withoutTags(found.body), found.length, wholeCalls(call));
  },
  readCut(text, { tools }) {
    if (!/^\s*(?:<|$)/.test(text)) return undefined;
    if (hasEnded(text)) return { calls: wholeCalls(xmlCall(text, { tools })) ?? [] };
    return cutCall(xmlCall(text, { tools, isCut: true }));
  },
  grammar: (tools, rules, most) =>
    several(
      anyTool(
        tools,
        rules,
        (tool) =>
          `${literal(`<tool_call>\n<function=${tool.name}>\n`)} ${xmlParameters(tool, rules)} ${literal("</function>\n</tool_call>")}`,
      ),
      '"\\n"',
      most,
    ),
};

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>`, line ends between the parts. */
function glmCall(body: string, options: ArgumentsOptions): NamedArguments | undefined {
  const [, head = "", inner = ""] = /^([^<{]+)(<arg_key>.*)?$/s.exec(body) ?? [];
  const name = head.trim();
  return isName(name, options.tools) ? namedArguments(name, inner, glmPair, options) : undefined;
}

/** GLM 4.5 and later. */
export const glmCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read(text, context) {
    const { tools } = context;
    const found = bodyUpTo(text, "</tool_call>", context, isInValue);
    if (found === undefined) return undefined;
    const call = found.isClosed ? glmCall(found.body, { tools }) : undefined;
    return callsOrText(withoutTags(found.body), found.length, wholeCalls(call));
  },
  readCut(text, { tools }) {
    const start = text.trimStart();
    const name = start.replace(/<.*$/s, "").trim();
    const isBegun = tools.some((tool) => tool.name.startsWith(start));
    if (name !== "" && !isBegun && !isName(name, tools)) return undefined;
    // White space or a tag ends a name.
    if (name === "" || isBegun || name === start) return { calls: [] };
    return cutCall(glmCall(text.replace(/<[\w/]*$/, ""), { tools, isCut: true }));
  },
  grammar(tools, rules, most) {
    const around = (name: string) =>
      [`${literal(`<arg_key>${name}</arg_key>`)} "\\n"? "<arg_value>"`, '"</arg_value>" "\\n"?'] as const;
    const call = anyTool(
      tools,
      rules,
      (tool) =>
        `${literal(`<tool_call>${tool.name}`)} "\\n"? ${taggedArguments(tool, rules, "</arg_value>", around)} "</tool_call>"`,
    );
    return several(call, '"\\n"?', most);
  },
};

/** The texts of a Gemma markup: around a call, and around a string. */
interface GemmaTexts {
  readonly open: string;
  readonly close: string;
  readonly quote: string;
}

/** Bare keys as JSON. Quoted ones stay: grammars write values of other types than text as JSON. */
const withQuotedKeys = (piece: string) =>
  piece.replace(/"(?:[^"\\]|\\.)*"?|([{,])([^"{}[\],:]+):/gs, (whole, before?: string, key?: string) =>
    key === undefined ? whole : `${before ?? ""}${JSON.stringify(key.trim())}:`,
  );

/** `call:name{key:value}`: JSON with bare keys and the family's own quotes around strings. */
function gemmaCall(body: string, quote: string, tools: readonly ToolDefinition[]): CutCallPart | undefined {
  const [, head = "", inside = ""] = /^\s*call:([^{]+)(\{.*)$/s.exec(body) ?? [];
  const name = head.trim();
  if (!isName(name, tools)) return undefined;
  const pieces = inside.split(quote);
  // Every second piece is the text of a string, in the last one without its end.
  const json = pieces.map((piece, at) => {
    if (at % 2 === 0) return withQuotedKeys(piece);
    return at === pieces.length - 1 ? JSON.stringify(piece).slice(0, -1) : JSON.stringify(piece);
  });
  return { name, arguments: json.join("") };
}

function wholeGemmaCalls(body: string, quote: string, tools: readonly ToolDefinition[]): ParsedCall[] | undefined {
  const call = gemmaCall(body, quote, tools);
  const args = call && parseJson(call.arguments);
  return isObject(args) ? [{ name: call?.name ?? "", arguments: args }] : undefined;
}

function gemmaValue(schema: unknown, { quote }: GemmaTexts, tool: ToolDefinition, rules: GrammarRules): string {
  const place = topPlace({ rules, root: tool.parameters, path: `#/tools/${tool.name}` });
  if (isTextSchema(schema)) return `${literal(quote)} ${plainTextBody(schema, place, quote)} ${literal(quote)}`;
  return schemaRule(schema, place);
}

const gemmaArguments = (tool: ToolDefinition, texts: GemmaTexts, rules: GrammarRules) =>
  argumentList(tool, rules, {
    between: '","',
    one: (name, schema) => `${literal(`${name}:`)} ${gemmaValue(schema, texts, tool, rules)}`,
  });

function gemmaCalls(texts: GemmaTexts): CallSyntax {
  return {
    open: [texts.open],
    ignored: [texts.close],
    read(text, context) {
      const isInside = (piece: string, wasInside: boolean) => (piece.split(texts.quote).length % 2 === 0) !== wasInside;
      const found = bodyUpTo(text, texts.close, context, isInside);
      if (found === undefined) return undefined;
      return callsOrText(
        found.body.replaceAll(texts.quote, ""),
        found.length,
        wholeGemmaCalls(found.body, texts.quote, context.tools),
      );
    },
    readCut(text, { tools }) {
      const start = text.trimStart();
      if (!start.startsWith("call:") && !"call:".startsWith(start)) return undefined;
      return { calls: [], cut: gemmaCall(text, texts.quote, tools) };
    },
    grammar: (tools, rules, most) =>
      several(
        anyTool(
          tools,
          rules,
          (tool) =>
            `${literal(`${texts.open}call:${tool.name}{`)} ${gemmaArguments(tool, texts, rules)} ${literal(`}${texts.close}`)}`,
        ),
        '""',
        most,
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
