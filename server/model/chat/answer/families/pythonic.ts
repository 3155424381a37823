/** Llama 4, LFM 2 and other models with calls in Python syntax. */
import { parseJson } from "../../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../../chat-completion.ts";
import { literal, type GrammarRules } from "../../../grammar/grammar-rules.ts";
import { schemaRule } from "../../../grammar/schema-grammar.ts";
import { topPlace } from "../../../grammar/schema-place.ts";
import type { ParsedCall } from "../answer-part.ts";
import { beginsLikeJson, cutBareJson, readBareJson } from "../bare-json.ts";
import { anyTool, several } from "../call-grammar.ts";
import {
  areKnownCalls,
  bodyUpTo,
  callsOrText,
  unclosedObject,
  type CallSyntax,
  type CutCalls,
  type ReadContext,
  type ReadCalls,
} from "../call-syntax.ts";
import { llamaCalls } from "./llama.ts";
import type { Family } from "./family.ts";
import { callsOfJson } from "../json-in-text.ts";
import { cutPythonCalls, listEnd, pythonCalls } from "../python-literals.ts";
import { argumentList, unquotedValues } from "../tool-parameters.ts";

type Tools = readonly ToolDefinition[];

/** Whether the text begins a list of calls of these tools: "maybe" while that is undecided. */
function beginsList(text: string, tools: Tools): "yes" | "no" | "maybe" {
  const start = text.slice(1).trimStart();
  if (tools.some(({ name }) => start.startsWith(name) && start.slice(name.length).trimStart().startsWith("(")))
    return "yes";
  return tools.some(({ name }) => name.startsWith(start) || start.trimEnd() === name) ? "maybe" : "no";
}

function readList(text: string, { isEnd, tools, scan }: ReadContext): ReadCalls | undefined {
  const end = listEnd(text, scan.brackets);
  if (end === undefined) return isEnd ? { length: 0, calls: [] } : undefined;
  const calls = pythonCalls(text.slice(0, end));
  return calls === undefined ? { length: 0, calls: [] } : { length: end, calls: unquotedValues(calls, tools) };
}

/** A call without brackets, or one in JSON, between the tags. */
function tagged(body: string, tools: Tools): readonly ParsedCall[] | undefined {
  const calls = pythonCalls(body) ?? callsOfJson(parseJson(body));
  return areKnownCalls(calls, tools) ? unquotedValues(calls, tools) : undefined;
}

/** Reads a list of calls anywhere, and a call without brackets or in JSON up to `close`. */
function readPython(text: string, close: string, context: ReadContext): ReadCalls | undefined {
  const { opening, isEnd, tools } = context;
  const start = text.trimStart();
  const skipped = text.length - start.length;
  const begins = start.startsWith("[") ? beginsList(start, tools) : "no";
  if (begins === "maybe" && !isEnd) return undefined;
  const list = begins === "yes" ? readList(start, context) : { length: 0, calls: [] };
  if (list === undefined) return undefined;
  if (list.length > 0) return { length: skipped + list.length, calls: list.calls };
  if (opening === "") return start.startsWith("{") ? readBareJson(text, context) : { length: 0, calls: [] };
  const found = bodyUpTo(text, close, context);
  if (found === undefined) return undefined;
  return { ...callsOrText(found.body, found.length, tagged(found.body, tools)), goesOn: true };
}

function cutCalls(text: string, tools: Tools): CutCalls {
  const { calls, begun } = cutPythonCalls(text);
  const [cut] = begun === undefined ? [] : unquotedValues([begun], tools);
  return {
    calls: unquotedValues(calls, tools),
    cut: cut && { name: cut.name, arguments: unclosedObject(Object.entries(cut.arguments)) },
  };
}

const readCut: CallSyntax["readCut"] = (text, context) => {
  const { opening, tools } = context;
  const start = text.trimStart();
  if (start === "" || (start.startsWith("[") && beginsList(start, tools) !== "no")) return cutCalls(start, tools);
  if (start.startsWith("{") || opening === "") return cutBareJson(text, context);
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

/** The texts around calls, of which the grammar writes `start` and `end`. */
interface PythonMarkup {
  readonly open: string;
  readonly close: string;
  readonly ignored: readonly string[];
  /** Whether the grammar writes calls without the texts. */
  readonly isBare: boolean;
  /** Whether calls stand on lines of their own instead of in a list. */
  readonly isOnLines?: boolean;
}

/** `[name(key=value), …]`, perhaps between tags. */
const pythonCallSyntax = ({ open, close, ignored, isBare, isOnLines = false }: PythonMarkup): CallSyntax => ({
  open: [open],
  ignored: [close, ...ignored],
  mayBeBare: beginsLikeJson,
  read: (text, context) => readPython(text, close, context),
  readCut,
  grammar(tools, rules, most) {
    const call = anyTool(tools, rules, (tool) => `${literal(`${tool.name}(`)} ${argumentsOf(tool, rules)} ")"`);
    if (isOnLines) return `${literal(open)} ${several(call, '"\\n"', most)} ${literal(close)}`;
    const list = `"[" ${several(call, '", "', most)} "]"`;
    return isBare ? list : `${literal(open)} ${list} ${literal(close)}`;
  },
});

const llama4Syntax = pythonCallSyntax({
  open: "<|python_start|>",
  close: "<|python_end|>",
  ignored: ["<|eom|>"],
  isBare: true,
});
export const pythonic: Family = {
  name: "pythonic",
  written: /\[\w+\(/,
  taught: /\[func\w*\(\w+=/,
  calls: llama4Syntax,
};

/** Llama 4's own template, which shows calls as JSON; its models also write them in Python syntax. */
export const llama4: Family = {
  name: "llama-4",
  written: /<\|python_start\|>/,
  calls: { ...llama4Syntax, grammar: llamaCalls.grammar.bind(llamaCalls) },
};

/** Olmo 3: each call on a line of its own. */
export const olmo3: Family = {
  name: "olmo-3",
  written: /<function_calls>/,
  taught: /<function_calls>/,
  calls: pythonCallSyntax({
    open: "<function_calls>",
    close: "</function_calls>",
    ignored: [],
    isBare: false,
    isOnLines: true,
  }),
};

/** LFM 2 and 2.5. */
export const lfm2: Family = {
  name: "lfm2",
  written: /<\|tool_call_start\|>/,
  taught: /<\|tool_list_start\|>|List of tools: \[|<\|tool_call_start\|>/,
  calls: pythonCallSyntax({ open: "<|tool_call_start|>", close: "<|tool_call_end|>", ignored: [], isBare: false }),
};
