/** Llama 4, and other models with calls in Python syntax. */
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { schemaRule } from "../../grammar/schema-grammar.ts";
import { topPlace } from "../../grammar/schema-place.ts";
import type { ParsedCall } from "./answer-part.ts";
import { anyTool, several } from "./call-grammar.ts";
import {
  bodyUpTo,
  callsOrText,
  unclosedObject,
  type CallSyntax,
  type CutCalls,
  type ReadContext,
  type ReadCalls,
} from "./call-syntax.ts";
import { llamaCalls } from "./json-calls.ts";
import { callsOfJson } from "./json-in-text.ts";
import { cutPythonCalls, listEnd, pythonCalls } from "./python-literals.ts";
import { allowedTypes, argumentList, parameterSchemas, parameterValueOf } from "./tool-parameters.ts";

const pythonStart = "<|python_start|>";
const pythonEnd = "<|python_end|>";

type Tools = readonly ToolDefinition[];

/** Whether the text begins a list of calls of these tools: "maybe" while that is undecided. */
function beginsList(text: string, tools: Tools): "yes" | "no" | "maybe" {
  const start = text.slice(1).trimStart();
  if (tools.some(({ name }) => start.startsWith(name) && start.slice(name.length).trimStart().startsWith("(")))
    return "yes";
  return tools.some(({ name }) => name.startsWith(start) || start.trimEnd() === name) ? "maybe" : "no";
}

/** Some models quote every value: a value that is no text by its schema is parsed as JSON. */
const readValues = (calls: readonly ParsedCall[], tools: Tools): ParsedCall[] =>
  calls.map(({ name, arguments: args }) => {
    const called = tools.find((tool) => tool.name === name);
    const schemas = parameterSchemas(called);
    const entries = Object.entries(args).map(([key, value]) => {
      const mayBeText = allowedTypes(schemas[key], called)?.has("string") ?? true;
      return [
        key,
        typeof value === "string" && !mayBeText ? parameterValueOf(value, schemas[key], called) : value,
      ] as const;
    });
    return { name, arguments: Object.fromEntries(entries) };
  });

function readList(text: string, { isEnd, tools, scan }: ReadContext): ReadCalls | undefined {
  const end = listEnd(text, scan.brackets);
  if (end === undefined) return isEnd ? { length: 0, calls: [] } : undefined;
  const calls = pythonCalls(text.slice(0, end));
  return calls === undefined ? { length: 0, calls: [] } : { length: end, calls: readValues(calls, tools) };
}

/** A call without brackets, or one in JSON, between the tags. */
function tagged(body: string, tools: Tools): readonly ParsedCall[] | undefined {
  const calls = pythonCalls(body) ?? callsOfJson(parseJson(body));
  const areKnown = calls?.every(({ name }) => tools.some((tool) => tool.name === name));
  return calls !== undefined && areKnown === true ? readValues(calls, tools) : undefined;
}

const read: CallSyntax["read"] = (text, context) => {
  const { opening, isEnd, tools } = context;
  const start = text.trimStart();
  const skipped = text.length - start.length;
  const begins = start.startsWith("[") ? beginsList(start, tools) : "no";
  if (begins === "maybe" && !isEnd) return undefined;
  const list = begins === "yes" ? readList(start, context) : { length: 0, calls: [] };
  if (list === undefined) return undefined;
  if (list.length > 0) return { length: skipped + list.length, calls: list.calls };
  if (opening === "") return start.startsWith("{") ? llamaCalls.read(text, context) : { length: 0, calls: [] };
  const found = bodyUpTo(text, pythonEnd, context);
  if (found === undefined) return undefined;
  return { ...callsOrText(found.body, found.length, tagged(found.body, tools)), goesOn: true };
};

function cutCalls(text: string, tools: Tools): CutCalls {
  const { calls, begun } = cutPythonCalls(text);
  const [cut] = begun === undefined ? [] : readValues([begun], tools);
  return {
    calls: readValues(calls, tools),
    cut: cut && { name: cut.name, arguments: unclosedObject(Object.entries(cut.arguments)) },
  };
}

const readCut: CallSyntax["readCut"] = (text, context) => {
  const { opening, tools } = context;
  const start = text.trimStart();
  if (start === "" || (start.startsWith("[") && beginsList(start, tools) !== "no")) return cutCalls(start, tools);
  if (start.startsWith("{") || opening === "") return llamaCalls.readCut(text, context);
  // Between the tags there is a call without brackets, or just text.
  const isCall = tools.some(({ name }) => start.startsWith(`${name}(`) || name.startsWith(start));
  return isCall ? cutCalls(start, tools) : undefined;
};

const argumentsOf = (tool: ToolDefinition, rules: GrammarRules) =>
  argumentList(tool, rules, {
    between: '", "',
    one: (name, schema) => {
      const place = topPlace({ rules, root: tool.parameters, path: `#/tools/${tool.name}/${name}` });
      return `${literal(`${name}=`)} ${schemaRule(schema, place)}`;
    },
  });

/** `[name(key=value), …]`, perhaps between tags. */
export const pythonicCalls: CallSyntax = {
  open: [pythonStart],
  ignored: [pythonEnd, "<|eom|>"],
  bare: true,
  read,
  readCut,
  grammar: (tools, rules, most) =>
    `"[" ${several(
      anyTool(tools, rules, (tool) => `${literal(`${tool.name}(`)} ${argumentsOf(tool, rules)} ")"`),
      '", "',
      most,
    )} "]"`,
};

/** Llama 4's own template, which shows calls as JSON; its models also write them in Python syntax. */
export const llama4Calls: CallSyntax = { ...pythonicCalls, grammar: llamaCalls.grammar.bind(llamaCalls) };
