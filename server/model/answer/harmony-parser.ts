/**
 * gpt-oss: an answer of several messages, each with a channel. "analysis" is thought, "final" is said, "commentary" is
 * said, too, unless it is addressed to a tool: then it is a call.
 */
import { literal } from "../grammar/grammar-rules.ts";
import { anyTool, argumentsRule } from "./call-grammar.ts";
import { collectingParser, type AnswerParser, type AnswerPart } from "./answer-part.ts";
import type { CallSyntax } from "./call-syntax.ts";
import { findMarker, heldLength } from "./find-marker.ts";
import { argumentsOf, parseJson } from "./json-in-text.ts";

const message = "<|message|>";
const ends = ["<|end|>", "<|call|>", "<|return|>"];
const starts = ["<|start|>", "<|channel|>"];
/** How the head of a message may begin. */
const headWords = ["assistant", "to=", "analysis", "commentary", "final"];
/** Means nothing inside a message. */
const strays = [message, "<|constrain|>"];
const bodyMarkers = [...ends, ...starts, ...strays];

type Kind = { type: "thinking" | "content" } | { type: "call"; name: string };

/** What a message is, from what stands between its start and its text. */
function kindOf(head: string): Kind {
  const [, to] = /to=(?:functions\.)?([^\s<]+)/.exec(head) ?? [];
  if (to !== undefined && to !== "user" && to !== "assistant") return { type: "call", name: to };
  return { type: /<\|channel\|>\s*analysis/.test(head) ? "thinking" : "content" };
}

export function createHarmonyParser({ head: opened }: { head: string | undefined }): AnswerParser {
  let held = "";
  /** Undefined between messages, where the head of the next one is collected. */
  let kind: Kind | undefined = opened === undefined ? undefined : kindOf(opened);
  let body = "";

  const finish = (parts: AnswerPart[], isWhole: boolean) => {
    if (kind?.type === "call") {
      const given = argumentsOf(parseJson(body.trim()));
      if (given !== undefined && (isWhole || body.trim() !== ""))
        parts.push({ type: "tool_call", call: { name: kind.name, arguments: given } });
      else if (body.trim() !== "") parts.push({ type: "content", text: body.trim() });
    }
    kind = undefined;
    body = "";
  };
  const give = (parts: AnswerPart[], text: string) => {
    if (kind?.type === "call") body += text;
    else if (kind !== undefined && text !== "") parts.push({ type: kind.type, text });
  };

  /** Between messages: a head, which ends with the message's marker. False: wait. */
  function readHead(isEnd: boolean): boolean {
    held = held.trimStart();
    if (held === "") return false;
    const isHead = held.startsWith("<") || headWords.some((word) => held.startsWith(word) || word.startsWith(held));
    const found = isHead ? findMarker(held, [message]) : undefined;
    if (found !== undefined) {
      kind = kindOf(held.slice(0, found.at));
      held = held.slice(found.at + message.length);
      return true;
    }
    if (isHead && !isEnd) return false;
    // A model that has lost its format just says something.
    if (isHead && held.includes("<|")) held = "";
    else kind = { type: "content" };
    return held !== "";
  }

  function readBody(parts: AnswerPart[], isEnd: boolean): boolean {
    const found = findMarker(held, bodyMarkers);
    if (found === undefined) {
      const ready = isEnd ? held.length : held.length - heldLength(held, bodyMarkers);
      give(parts, held.slice(0, ready));
      held = held.slice(ready);
      if (isEnd) finish(parts, false);
      return false;
    }
    give(parts, held.slice(0, found.at));
    held = held.slice(found.at + (starts.includes(found.marker) ? 0 : found.marker.length));
    if (!strays.includes(found.marker)) finish(parts, true);
    return held !== "";
  }

  function run(isEnd: boolean): AnswerPart[] {
    const parts: AnswerPart[] = [];
    while (kind === undefined ? readHead(isEnd) : readBody(parts, isEnd));
    return parts;
  }
  return collectingParser((text) => (held += text), run);
}

/** Calls of gpt-oss for grammars; its parser reads them itself. */
export const harmonyCalls: CallSyntax = {
  open: [],
  ignored: [],
  read: () => undefined,
  grammar: (tools, rules) =>
    anyTool(
      tools,
      rules,
      (tool) =>
        `${literal(`<|channel|>commentary to=functions.${tool.name} <|constrain|>json<|message|>`)} ${argumentsRule(tool, rules)}`,
    ),
};
