/**
 * Parses answers with thoughts between two tags and calls behind an opening: most families, each with texts of its own.
 */
import type { ToolDefinition } from "../../chat-completion.ts";
import { collectingParser, type AnswerEnd, type AnswerParser, type AnswerPart } from "./answer-part.ts";
import { callScan, type CallSyntax } from "./call-syntax.ts";
import { begunArguments, createJsonStrings } from "./json-in-text.ts";
import { cutLength, findMarker, heldLength, mayTurnInto } from "./find-marker.ts";

export interface ThoughtTags {
  readonly open: string;
  readonly close: string;
}

export interface TaggedOptions {
  readonly thoughts: ThoughtTags | undefined;
  /** The prompt opened the tag: the answer begins inside the thoughts. */
  readonly startsInside: boolean;
  /** The beginning of the content that the client wrote: the answer continues it, white space included. */
  readonly begun: string;
  readonly calls: CallSyntax | undefined;
  readonly tools: readonly ToolDefinition[];
  /** Whether the content is JSON, in whose strings markup is text. */
  readonly isJson: boolean;
}

/** `start`: only white space so far, here or after the thoughts. */
type State = "start" | "thinking" | "content" | "call";

/** False for an opening that begins with a word: it is text where no call follows. */
const isMarkup = (marker: string) => !/^\w/.test(marker);

/** A step makes progress, or waits for more text. */
type Step = "again" | "wait";

export function createTaggedParser(options: TaggedOptions): AnswerParser {
  const { thoughts, startsInside, begun, calls, tools, isJson } = options;
  let state: State = startsInside ? "thinking" : begun === "" ? "start" : "content";
  let held = "";
  let opening = "";
  let scan = callScan();
  /** White space before the opening, which is text where that is. */
  let gap = "";
  /** Thoughts may only come first. */
  let mayThink = thoughts !== undefined && !startsInside;
  /** The thoughts are empty so far, so white space in them is ignored. */
  let isThoughtEmpty = true;
  /** Some models repeat the tag that the prompt opened. */
  let mayRepeat = startsInside;
  let isBehindCall = false;
  const strings = createJsonStrings();
  strings.take(begun);
  const openings = calls?.open ?? [];
  const inContent = [...openings, ...(calls?.ignored ?? [])];

  const take = (length: number) => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text;
  };
  const give = (parts: AnswerPart[], type: "content" | "thinking", text: string) => {
    if (type === "content") strings.take(text);
    if (text !== "") parts.push({ type, text });
  };

  const isInString = (text: string) => isJson && strings.isOpenBehind(text);

  /** The held text without an end that may be the beginning of a marker. */
  const freeText = (markers: readonly string[], end: AnswerEnd | undefined) =>
    held.slice(0, held.length - (end === undefined ? heldLength(held, markers) : cutLength(held, markers, end)));

  function start(end: AnswerEnd | undefined): Step {
    // Calls without an opening are separated by semicolons.
    held = isBehindCall && calls?.bare === true ? held.replace(/^[\s;]+/, "") : held.trimStart();
    if (held === "" && end === undefined) return "wait";
    isBehindCall = false;
    if (mayThink && thoughts !== undefined) {
      if (held.startsWith(thoughts.open)) {
        take(thoughts.open.length);
        state = "thinking";
        return "again";
      }
      if (end === undefined && mayTurnInto(held, [thoughts.open])) return "wait";
      if (end !== undefined) held = freeText([thoughts.open], end);
      mayThink = false;
    }
    const isBare = calls?.bare === true && (held.startsWith("{") || held.startsWith("["));
    opening = "";
    state = isBare ? "call" : "content";
    return "again";
  }

  function think(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const { open, close } = thoughts ?? { open: "", close: "" };
    if (isThoughtEmpty) {
      held = held.trimStart();
      if (mayRepeat && held.startsWith(open)) {
        mayRepeat = false;
        held = held.slice(open.length).trimStart();
      } else if (end === undefined && mayRepeat && held !== "" && mayTurnInto(held, [open])) return "wait";
    }
    const found = findMarker(held, [close]);
    if (found !== undefined) {
      give(parts, "thinking", take(found.at).trimEnd());
      take(close.length);
      isThoughtEmpty = true;
      mayRepeat = false;
      state = "start";
      return "again";
    }
    const ready = freeText(end === undefined ? [close] : [open, close], end).trimEnd();
    isThoughtEmpty &&= ready === "";
    give(parts, "thinking", take(ready.length));
    if (end !== undefined) held = "";
    return "wait";
  }

  function say(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const found = findMarker(held, inContent);
    if (found !== undefined && isInString(held.slice(0, found.at))) {
      give(parts, "content", take(found.at + 1));
      return "again";
    }
    if (found !== undefined) {
      const before = take(found.at);
      give(parts, "content", before.trimEnd());
      gap = before.slice(before.trimEnd().length);
      take(found.marker.length);
      opening = found.marker;
      if (openings.includes(found.marker)) state = "call";
      return "again";
    }
    const free = end !== undefined && isInString(held) ? held : freeText(inContent, end);
    // White space before a call belongs to the markup, so it is held until the next text decides.
    const isLast = free === held && (end !== undefined || inContent.length === 0);
    give(parts, "content", take((isLast ? free : free.trimEnd()).length));
    if (end !== undefined) held = "";
    return "wait";
  }

  /** Finishes a truncated call. False: it was no call. */
  function cutCall(parts: AnswerPart[]): boolean {
    const read = calls?.readCut(held, { opening, tools });
    if (read === undefined) return false;
    for (const one of read.calls) parts.push({ type: "tool_call", call: one });
    if (read.cut !== undefined)
      parts.push({ type: "cut_call", call: { ...read.cut, arguments: begunArguments(read.cut.arguments) } });
    held = "";
    return true;
  }

  function call(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const whole = calls?.read(held, { opening, isEnd: false, tools, scan });
    if (whole === undefined && end === "length" && cutCall(parts)) return "wait";
    const read = whole ?? (end && calls?.read(held, { opening, isEnd: true, tools, scan }));
    if (read === undefined) return "wait";
    take(read.length);
    scan = callScan();
    for (const one of read.calls) parts.push({ type: "tool_call", call: one });
    // A confused model repeats openings: they are no text either.
    const written = inContent.filter(isMarkup).reduce((rest, marker) => rest.replaceAll(marker, ""), read.text ?? "");
    const text = (isMarkup(opening) || written === "" ? "" : gap) + written;
    const cut = end === undefined || held !== "" ? 0 : cutLength(text, inContent, end);
    give(parts, "content", text.slice(0, text.length - cut));
    // After a call another may follow; after text there is only text.
    isBehindCall = read.calls.length > 0;
    state = isBehindCall || read.goesOn === true ? "start" : "content";
    return held === "" ? "wait" : "again";
  }

  function run(end?: AnswerEnd): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let step: Step = "again";
    while (step === "again") {
      if (state === "start") step = start(end);
      else if (state === "thinking") step = think(parts, end);
      else step = state === "content" ? say(parts, end) : call(parts, end);
      if (held === "" && state !== "call") step = "wait";
    }
    return parts;
  }
  return collectingParser((text) => (held += text), run);
}
