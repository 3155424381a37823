/**
 * gpt-oss: an answer of several messages, each with a channel. "analysis" is a thought, "final" is content,
 * "commentary" is content, too, unless it is addressed to a tool: then it is a call.
 */
import type { ToolDefinition } from "../../chat-completion.ts";
import { collectingParser, type AnswerEnd, type AnswerParser, type AnswerPart } from "./answer-part.ts";
import { cutLength, findMarker, heldLength } from "./find-marker.ts";
import { argumentsOf, begunArguments, createJsonStrings } from "./json-in-text.ts";

const message = "<|message|>";
const ends = ["<|end|>", "<|call|>", "<|return|>"];
const starts = ["<|start|>", "<|channel|>"];
/** Possible beginnings of a message's head. */
const headWords = ["assistant", "to=", "analysis", "commentary", "final"];
/** Ignored inside a message. */
const strays = [message, "<|constrain|>"];
const bodyMarkers = [...ends, ...starts, ...strays];

type Kind = { type: "thinking" | "content" } | { type: "call"; name: string };

/** The kind of a message, from its head. A tool may have any name, also that of a role or one with white space. */
function kindOf(head: string, tools: readonly ToolDefinition[]): Kind {
  const [, prefix = "", to = ""] = /to=(functions\.)?(.*)/s.exec(head) ?? [];
  const known = tools.filter(({ name }) => to.startsWith(name) && /^(?:[\s<]|$)/.test(to.slice(name.length)));
  const [word = ""] = /^[^\s<]*/.exec(to) ?? [];
  const name = known.reduce((longest, tool) => (tool.name.length > longest.length ? tool.name : longest), word);
  if (name !== "" && (prefix !== "" || (name !== "user" && name !== "assistant"))) return { type: "call", name };
  return { type: /<\|channel\|>\s*analysis/.test(head) ? "thinking" : "content" };
}

export interface HarmonyOptions {
  /** The header of the message that the prompt has begun. */
  readonly head: string | undefined;
  /** The beginning of that message that the client wrote. */
  readonly begun: string;
  readonly tools: readonly ToolDefinition[];
  /** Whether the content is JSON. */
  readonly isJson: boolean;
}

export function createHarmonyParser({ head: opened, begun, tools, isJson }: HarmonyOptions): AnswerParser {
  let held = "";
  /** Undefined between messages, while the head of the next one is collected. */
  let kind: Kind | undefined = opened === undefined ? undefined : kindOf(opened, tools);
  let body = "";
  let strings = createJsonStrings();
  strings.take(begun);

  /** `end`: no text follows that could end the message. */
  const finish = (parts: AnswerPart[], end?: AnswerEnd) => {
    if (kind?.type === "call") {
      const { name } = kind;
      const text = body.trim();
      const args = text === "" && end !== undefined ? undefined : argumentsOf(text);
      if (args !== undefined) parts.push({ type: "tool_call", call: { name, arguments: args } });
      else if (end === "length") parts.push({ type: "cut_call", call: { name, arguments: begunArguments(text) } });
      else if (text !== "") parts.push({ type: "content", text });
    }
    kind = undefined;
    body = "";
    strings = createJsonStrings();
  };
  const isInString = (text: string) =>
    (kind?.type === "call" || (kind?.type === "content" && isJson)) && strings.isOpenBehind(text);
  const give = (parts: AnswerPart[], text: string) => {
    strings.take(text);
    if (kind?.type === "call") body += text;
    else if (kind !== undefined && text !== "") parts.push({ type: kind.type, text });
  };

  /** Parses the head between messages, which ends with the message's marker. False: more text is needed. */
  function readHead(end: AnswerEnd | undefined): boolean {
    held = held.trimStart();
    if (held === "") return false;
    const isHead = held.startsWith("<") || headWords.some((word) => held.startsWith(word) || word.startsWith(held));
    const found = isHead ? findMarker(held, [message]) : undefined;
    if (found !== undefined) {
      kind = kindOf(held.slice(0, found.at), tools);
      held = held.slice(found.at + message.length);
      return true;
    }
    if (isHead && end === undefined) return false;
    // A model that broke its format: the text counts as content.
    if (isHead && (end === "length" || held.includes("<|"))) held = "";
    else kind = { type: "content" };
    return held !== "";
  }

  function readBody(parts: AnswerPart[], end: AnswerEnd | undefined): boolean {
    const found = findMarker(held, bodyMarkers);
    if (found === undefined) {
      const cut = () => (isInString(held) ? 0 : cutLength(held, bodyMarkers, end ?? "stop"));
      const waiting = end === undefined ? heldLength(held, bodyMarkers) : cut();
      give(parts, held.slice(0, held.length - waiting));
      held = held.slice(held.length - waiting);
      if (end !== undefined) finish(parts, end);
      return false;
    }
    const before = held.slice(0, found.at);
    if (isInString(before)) {
      give(parts, held.slice(0, found.at + 1));
      held = held.slice(found.at + 1);
      return true;
    }
    give(parts, before);
    held = held.slice(found.at + (starts.includes(found.marker) ? 0 : found.marker.length));
    if (!strays.includes(found.marker)) finish(parts);
    return held !== "";
  }

  function run(end?: AnswerEnd): AnswerPart[] {
    const parts: AnswerPart[] = [];
    while (kind === undefined ? readHead(end) : readBody(parts, end));
    return parts;
  }
  return collectingParser((text) => (held += text), run);
}
