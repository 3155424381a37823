/** Muse Glimmer: each message has a recipient, `self` for thoughts, `user`, or a tool, whose arguments are elements. */
import { literal } from "../../../grammar/grammar-rules.ts";
import type { ToolDefinition } from "../../../chat-completion.ts";
import type { ParsedCall } from "../answer-part.ts";
import { anyTool, several } from "../call-grammar.ts";
import { isKnownTool, longestHead, type CallSyntax, type ReadCalls, type ReadContext } from "../call-syntax.ts";
import { elementCalls, exactly } from "../element-calls.ts";
import { mayTurnInto } from "../find-marker.ts";
import type { Family } from "./family.ts";

const start = "<|start|>assistant";
const message = "<|message|>";
const messageEnd = "<|eom|>";
const invoke = '<atem:invoke name="';
const section = { open: "<atem:function_calls>", close: "</atem:function_calls>" };

const elements = elementCalls({
  call: { open: invoke, behindName: exactly('">'), close: "</atem:invoke>" },
  argument: { open: '<atem:parameter name="', behindName: exactly('">'), close: "</atem:parameter>" },
  padding: "",
  gap: '"\\n"',
});

const head = /^\s*(?:to=([^\s<]*)\s*)?<\|message\|>\s*/;
const openedCall = new RegExp(`^${section.open}\\s*${invoke}`);
const withoutSpace = (text: string) => text.replaceAll(/\s/g, "");
const mayBeHead = (text: string) => mayTurnInto(text, ["to=", message]) || /^to=[^\s<]*\s*(?:<[|a-z]*)?$/.test(text);
const mayBeCall = (text: string) => mayTurnInto(withoutSpace(text), [withoutSpace(section.open + invoke)]);
const mayBeClosing = (text: string) => mayTurnInto(text, [section.close]);

interface Message {
  /** The recipient; undefined where the model has left it out. */
  readonly to: string | undefined;
  /** The length of the head. */
  readonly length: number;
  readonly body: string;
}

/** The message that the text begins with. Its head may be missing at the beginning of an answer. */
function messageOf(text: string, opening: string): Message | undefined {
  const [found, to] = head.exec(text.slice(0, longestHead)) ?? [];
  if (found !== undefined) return { to, length: found.length, body: text.slice(found.length) };
  const body = text.trimStart();
  const isCall = opening === "" && (openedCall.test(body) || (body !== "" && mayBeCall(body)));
  return isCall ? { to: undefined, length: text.length - body.length, body } : undefined;
}

/** The call of a known tool. Models repeat the mark of messages in the name, or the name as its own namespace. */
function knownCall(call: ParsedCall, tools: readonly ToolDefinition[]): ParsedCall | undefined {
  const name = call.name.replaceAll(message, "");
  const [space = "", ...inside] = name.split(".");
  const known = [name, ...(inside.join(".") === space ? [space] : [])].find((one) => isKnownTool(one, tools));
  return known === undefined ? undefined : { ...call, name: known };
}

function readMessage({ to, length, body }: Message, context: ReadContext): ReadCalls | undefined {
  const { isEnd, tools } = context;
  const content: ReadCalls = { length, calls: [], text: "" };
  if (to === "self") {
    const end = body.indexOf(messageEnd);
    if (end < 0 && !isEnd) return undefined;
    return { length: end < 0 ? length + body.length : length + end + messageEnd.length, calls: [], goesOn: true };
  }
  const [opened] = openedCall.exec(body) ?? [];
  if (opened === undefined) return mayBeCall(body) && !isEnd ? undefined : content;
  const read = elements.read(body.slice(opened.length), { ...context, opening: invoke });
  if (read === undefined) return undefined;
  const [written] = read.calls;
  const call = written && knownCall(written, tools);
  if (call === undefined) return content;
  const isRecovered = read.isRecovered === true || [to, written?.name].some((name) => name !== call.name);
  return { length: length + opened.length + read.length, calls: [call], ...(isRecovered && { isRecovered }) };
}

const calls: CallSyntax = {
  open: [start],
  ignored: [messageEnd, "<|eot|>"],
  mayBeBare: (text) =>
    mayBeHead(text) || mayBeClosing(text) || text.startsWith(section.close) || messageOf(text, "") !== undefined,
  read(text, context) {
    const { opening, isEnd } = context;
    const trimmed = text.trimStart();
    if (opening === "" && trimmed.startsWith(section.close))
      return { length: text.length - trimmed.length + section.close.length, calls: [], goesOn: true };
    const found = messageOf(text, opening);
    if (found !== undefined) return readMessage(found, context);
    const mayFollow = mayBeHead(trimmed) || (opening === "" && mayBeClosing(trimmed));
    if (mayFollow && !isEnd && text.length < longestHead) return undefined;
    return { length: 0, calls: [], ...(opening !== "" && { isLiteral: true }) };
  },
  readCut(text, { opening, tools }) {
    const trimmed = text.trimStart();
    const { to, body } = messageOf(text, opening) ?? {};
    if (body === undefined) return mayBeHead(trimmed) || mayBeClosing(trimmed) ? { calls: [] } : undefined;
    const [opened] = openedCall.exec(body) ?? [];
    if (opened !== undefined) return elements.readCut(body.slice(opened.length), { opening: invoke, tools });
    return to === "self" || mayBeCall(body) ? { calls: [] } : undefined;
  },
  grammar(tools, rules, most) {
    const one = anyTool(tools, rules, (tool) => {
      const head = literal(` to=${tool.name}${message}${section.open}\n`);
      return `${head} ${elements.grammar([tool], rules, 1)} ${literal(`\n${section.close}`)}`;
    });
    return several(one, literal(messageEnd + start), most);
  },
};

export const glimmer: Family = { name: "glimmer", written: /<atem:function_calls>/, calls };
