/** Answers with thoughts between two tags and calls behind an opening: most families, each with texts of its own. */
import type { ToolDefinition } from "../chat-completion.ts";
import { collectingParser, type AnswerParser, type AnswerPart } from "./answer-part.ts";
import type { CallSyntax } from "./call-syntax.ts";
import { findMarker, heldLength, mayBecome } from "./find-marker.ts";

export interface ThoughtTags {
  readonly open: string;
  readonly close: string;
}

export interface TaggedOptions {
  readonly thoughts: ThoughtTags | undefined;
  /** The prompt has opened the tag: the answer begins inside the thoughts. */
  readonly startsInside: boolean;
  readonly calls: CallSyntax | undefined;
  readonly tools: readonly ToolDefinition[];
}

/** `start`: nothing but white space yet, here or behind the thoughts. */
type State = "start" | "thinking" | "content" | "call";

/** A step either changes something and goes on, or waits for more text. */
type Step = "again" | "wait";

export function createTaggedParser({ thoughts, startsInside, calls, tools }: TaggedOptions): AnswerParser {
  let state: State = startsInside ? "thinking" : "start";
  let held = "";
  let opening = "";
  /** Thoughts may only come first. */
  let mayThink = thoughts !== undefined && !startsInside;
  /** Nothing has been said in the thoughts: white space there means nothing. */
  let isThoughtEmpty = true;
  /** Some models open the tag that the prompt has opened already. */
  let mayRepeat = startsInside;
  let isBehindCall = false;
  const openings = calls?.open ?? [];
  const inContent = [...openings, ...(calls?.ignored ?? [])];

  const take = (length: number) => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text;
  };
  const give = (parts: AnswerPart[], type: "content" | "thinking", text: string) => {
    if (text !== "") parts.push({ type, text });
  };

  function start(isEnd: boolean): Step {
    // Calls without an opening have semicolons between them.
    held = isBehindCall && calls?.bare === true ? held.replace(/^[\s;]+/, "") : held.trimStart();
    if (held === "" && !isEnd) return "wait";
    isBehindCall = false;
    if (mayThink && thoughts !== undefined) {
      if (held.startsWith(thoughts.open)) {
        take(thoughts.open.length);
        state = "thinking";
        return "again";
      }
      if (!isEnd && mayBecome(held, [thoughts.open])) return "wait";
      mayThink = false;
    }
    const isBare = calls?.bare === true && (held.startsWith("{") || held.startsWith("["));
    opening = "";
    state = isBare ? "call" : "content";
    return "again";
  }

  function think(parts: AnswerPart[], isEnd: boolean): Step {
    const { open, close } = thoughts ?? { open: "", close: "" };
    if (isThoughtEmpty) {
      held = held.trimStart();
      if (mayRepeat && held.startsWith(open)) {
        mayRepeat = false;
        held = held.slice(open.length).trimStart();
      } else if (!isEnd && mayRepeat && held !== "" && mayBecome(held, [open])) return "wait";
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
    const ready = isEnd ? held.trimEnd() : held.slice(0, held.length - heldLength(held, [close])).trimEnd();
    isThoughtEmpty &&= ready === "";
    give(parts, "thinking", take(ready.length));
    if (isEnd) held = "";
    return "wait";
  }

  function say(parts: AnswerPart[], isEnd: boolean): Step {
    const found = findMarker(held, inContent);
    if (found !== undefined) {
      give(parts, "content", take(found.at).trimEnd());
      take(found.marker.length);
      opening = found.marker;
      if (openings.includes(found.marker)) state = "call";
      return "again";
    }
    const free = isEnd ? held : held.slice(0, held.length - heldLength(held, inContent));
    // White space before a call is part of the markup, so it waits for what follows it.
    const ready = isEnd || inContent.length === 0 ? free : free.trimEnd();
    give(parts, "content", take(ready.length));
    return "wait";
  }

  function call(parts: AnswerPart[], isEnd: boolean): Step {
    const read = calls?.read(held, { opening, isEnd, tools });
    if (read === undefined) return "wait";
    take(read.length);
    for (const one of read.calls) parts.push({ type: "tool_call", call: one });
    // A model that has lost its way repeats openings: they are no text either.
    give(
      parts,
      "content",
      inContent.reduce((text, marker) => text.replaceAll(marker, ""), read.text ?? ""),
    );
    // Behind a call another may follow; behind text there is only text.
    isBehindCall = read.calls.length > 0;
    state = isBehindCall || read.goesOn === true ? "start" : "content";
    return held === "" ? "wait" : "again";
  }

  function run(isEnd: boolean): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let step: Step = "again";
    while (step === "again") {
      if (state === "start") step = start(isEnd);
      else if (state === "thinking") step = think(parts, isEnd);
      else step = state === "content" ? say(parts, isEnd) : call(parts, isEnd);
      if (held === "" && state !== "call") step = "wait";
    }
    return parts;
  }
  return collectingParser((text) => (held += text), run);
}
