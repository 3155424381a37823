/** FunctionGemma and Gemma 4: `call:name{key:value}` with quotes of their own. */
import { isObject } from "../../../../contract/is-object.ts";
import { parseJson } from "../../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../../chat-completion.ts";
import { literal, type GrammarRules } from "../../../grammar/grammar-rules.ts";
import { schemaRule } from "../../../grammar/schema-grammar.ts";
import { topPlace } from "../../../grammar/schema-place.ts";
import { plainTextBody } from "../../../grammar/string-grammar.ts";
import type { CutCallPart, ParsedCall } from "../answer-part.ts";
import { anyTool, several } from "../call-grammar.ts";
import { bodyUpTo, callsOrText, isName, type CallSyntax } from "../call-syntax.ts";
import { argumentList, isTextSchema, unquotedValues } from "../tool-parameters.ts";
import type { Family } from "./family.ts";

/** The texts of a Gemma markup: around a call, and around a string. */
interface GemmaTexts {
  readonly open: string;
  readonly close: string;
  readonly quote: string;
  /** A text that models write behind calls, where the result begins. */
  readonly result?: string;
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
  return isObject(args) ? unquotedValues([{ name: call?.name ?? "", arguments: args }], tools) : undefined;
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
    ignored: [texts.close, ...(texts.result === undefined ? [] : [texts.result])],
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
export const functionGemma: Family = {
  name: "functiongemma",
  written: /<start_function_call>/,
  taught: /<start_function_declaration>/,
  calls: gemmaCalls({ open: "<start_function_call>", close: "<end_function_call>", quote: "<escape>" }),
};
export const gemma4: Family = {
  name: "gemma-4",
  written: /<\|tool_call>/,
  taught: /<\|tool>/,
  calls: gemmaCalls({ open: "<|tool_call>", close: "<tool_call|>", quote: '<|"|>', result: "<|tool_response>" }),
};
