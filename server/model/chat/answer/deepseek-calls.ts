/** The syntax of calls in DeepSeek's models. */
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import type { CutCallPart, ParsedCall } from "./answer-part.ts";
import { anyTool, argumentsRule, several } from "./call-grammar.ts";
import { bodyUpTo, callsOrText, type CallSyntax } from "./call-syntax.ts";
import { argumentsOf } from "./json-in-text.ts";

const begin = "<｜tool▁call▁begin｜>";
const end = "<｜tool▁call▁end｜>";
const separator = "<｜tool▁sep｜>";
const callsBegin = "<｜tool▁calls▁begin｜>";
const callsEnd = "<｜tool▁calls▁end｜>";

/** True when the piece ends inside a JSON string, to which a closing would belong. */
function isInString(piece: string, wasInString: boolean): boolean {
  const from = wasInString ? 0 : piece.indexOf("{");
  const hasOddQuotes = from >= 0 && piece.slice(from).replace(/\\./gs, "").split('"').length % 2 === 0;
  return hasOddQuotes !== wasInString;
}

/** `name<sep>{…}`, or `function<sep>name` and the arguments in a fenced block. */
function deepSeekCall(body: string): ParsedCall[] | undefined {
  const [head = "", ...rest] = body.split(separator);
  const behind = rest.join(separator);
  const from = behind.indexOf("{");
  const isFenced = head.trim() === "function" && from > 0;
  const name = (isFenced ? behind.slice(0, behind.search(/\n|```/)) : head).trim();
  const json = behind.slice(from).trimEnd();
  const args = from < 0 ? undefined : argumentsOf(json.endsWith("```") ? json.slice(0, -3) : json);
  return name === "" || args === undefined ? undefined : [{ name, arguments: args }];
}

function cutDeepSeekCall(body: string): CutCallPart | undefined {
  const [head = "", behind] = body.split(new RegExp(`${separator}(.*)`, "s"));
  if (behind === undefined) return undefined;
  const [, fenced] = /^([^\n`]+)(?:\n|```)/.exec(behind) ?? [];
  const name = (head.trim() === "function" ? fenced : head)?.trim() ?? "";
  const from = behind.indexOf("{");
  return name === "" ? undefined : { name, arguments: from < 0 ? "" : behind.slice(from) };
}

/** A call as the family writes it: for the grammar, and as an example. */
interface DeepSeekForm {
  readonly call: (tool: ToolDefinition, rules: GrammarRules) => string;
  readonly example: string;
}

/** The templates show earlier calls and results, but not the tools, so the system message describes those. */
const deepSeekCalls = ({ call, example }: DeepSeekForm): CallSyntax => ({
  open: [begin],
  ignored: [callsBegin, callsEnd, end],
  read(text, context) {
    const found = bodyUpTo(text, end, context, isInString);
    if (found === undefined) return undefined;
    const calls = deepSeekCall(found.body);
    return callsOrText(found.body.replaceAll(separator, " "), found.length, calls);
  },
  readCut: (text) => ({ calls: [], cut: cutDeepSeekCall(text) }),
  grammar(tools, rules, most) {
    const one = anyTool(tools, rules, (tool) => `${literal(begin)} ${call(tool, rules)} ${literal(end)}`);
    return `${literal(callsBegin)} ${several(one, '"\\n"?', most)} ${literal(callsEnd)}`;
  },
  teach: (tools) =>
    [
      "## Tools",
      "You may call these functions:",
      tools.map((tool) => JSON.stringify(tool)).join("\n"),
      `To call one, write its name and its arguments as JSON, exactly like this, and nothing behind it:`,
      `${callsBegin}${begin}${example}${end}${callsEnd}`,
      `For several calls write several of the parts from ${begin} to ${end}.`,
    ].join("\n\n"),
});

/** DeepSeek V3 and R1. */
export const deepSeekFencedCalls = deepSeekCalls({
  call: (tool, rules) =>
    `${literal(`function${separator}${tool.name}\n\`\`\`json\n`)} ${argumentsRule(tool, rules)} ${literal("\n```")}`,
  example: `function${separator}NAME\n\`\`\`json\n{"argument": "value"}\n\`\`\``,
});
/** DeepSeek V3.1. */
export const deepSeekNamedCalls = deepSeekCalls({
  call: (tool, rules) => `${literal(`${tool.name}${separator}`)} ${argumentsRule(tool, rules)}`,
  example: `NAME${separator}{"argument": "value"}`,
});
