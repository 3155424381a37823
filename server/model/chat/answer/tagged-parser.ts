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
  /** The beginning of the content, or thoughts, that the client wrote: the answer continues it, white space included. */
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

/**
 * Reads the tagged text of one answer. States: start → thinking → start → content ⇄ call; a call may be followed by another
 * start. Text that may become a marker is held until the following text decides.
 */
class TaggedParser {
  readonly #options: TaggedOptions;
  #state: State;
  #held = "";
  #opening = "";
  #scan = callScan();
  /** White space before the opening, which is text where that is. */
  #gap = "";
  /** Thoughts may only come first. */
  #mayThink: boolean;
  /** The thoughts are empty so far, so white space in them is ignored. */
  #isThoughtEmpty: boolean;
  /** Some models repeat the tag that the prompt opened. */
  #mayRepeat: boolean;
  #isBehindCall = false;
  readonly #strings = createJsonStrings();
  readonly #openings: readonly string[];
  /** Markers that may come in the content. */
  readonly #inContent: readonly string[];

  constructor(options: TaggedOptions) {
    const { thoughts, startsInside, begun, calls } = options;
    this.#options = options;
    this.#state = startsInside ? "thinking" : begun === "" ? "start" : "content";
    this.#mayThink = thoughts !== undefined && !startsInside;
    this.#isThoughtEmpty = !startsInside || begun === "";
    this.#mayRepeat = startsInside && begun === "";
    if (!startsInside) this.#strings.take(begun);
    this.#openings = calls?.open ?? [];
    this.#inContent = [...this.#openings, ...(calls?.ignored ?? [])];
  }

  collect(text: string): void {
    this.#held += text;
  }

  /** Parses as much as possible; at the end all of it. */
  run(end?: AnswerEnd): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let step: Step = "again";
    while (step === "again") {
      if (this.#state === "start") step = this.#start(end);
      else if (this.#state === "thinking") step = this.#think(parts, end);
      else step = this.#state === "content" ? this.#write(parts, end) : this.#readCall(parts, end);
      if (this.#held === "" && this.#state !== "call") step = "wait";
    }
    return parts;
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  #emit(parts: AnswerPart[], type: "content" | "thinking", text: string): void {
    if (type === "content") this.#strings.take(text);
    if (text !== "") parts.push({ type, text });
  }

  #isInString(text: string): boolean {
    return this.#options.isJson && this.#strings.isOpenBehind(text);
  }

  /** The held text without an end that may be the beginning of a marker. */
  #freeText(markers: readonly string[], end: AnswerEnd | undefined): string {
    const length = end === undefined ? heldLength(this.#held, markers) : cutLength(this.#held, markers, end);
    return this.#held.slice(0, this.#held.length - length);
  }

  #start(end: AnswerEnd | undefined): Step {
    // Calls without an opening are separated by semicolons.
    this.#held =
      this.#isBehindCall && this.#options.calls?.bare === true
        ? this.#held.replace(/^[\s;]+/, "")
        : this.#held.trimStart();
    if (this.#held === "" && end === undefined) return "wait";
    this.#isBehindCall = false;
    if (this.#mayThink && this.#options.thoughts !== undefined) {
      if (this.#held.startsWith(this.#options.thoughts.open)) {
        this.#take(this.#options.thoughts.open.length);
        this.#state = "thinking";
        return "again";
      }
      if (end === undefined && mayTurnInto(this.#held, [this.#options.thoughts.open])) return "wait";
      if (end !== undefined) this.#held = this.#freeText([this.#options.thoughts.open], end);
      this.#mayThink = false;
    }
    const isBare = this.#options.calls?.bare === true && (this.#held.startsWith("{") || this.#held.startsWith("["));
    this.#opening = "";
    this.#state = isBare ? "call" : "content";
    return "again";
  }

  #think(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const { open, close } = this.#options.thoughts ?? { open: "", close: "" };
    if (this.#isThoughtEmpty) {
      this.#held = this.#held.trimStart();
      if (this.#mayRepeat && this.#held.startsWith(open)) {
        this.#mayRepeat = false;
        this.#held = this.#held.slice(open.length).trimStart();
      } else if (end === undefined && this.#mayRepeat && this.#held !== "" && mayTurnInto(this.#held, [open]))
        return "wait";
    }
    const found = findMarker(this.#held, [close]);
    if (found !== undefined) {
      this.#emit(parts, "thinking", this.#take(found.at).trimEnd());
      this.#take(close.length);
      this.#isThoughtEmpty = true;
      this.#mayRepeat = false;
      this.#state = "start";
      return "again";
    }
    const ready = this.#freeText(end === undefined ? [close] : [open, close], end).trimEnd();
    this.#isThoughtEmpty &&= ready === "";
    this.#emit(parts, "thinking", this.#take(ready.length));
    if (end !== undefined) this.#held = "";
    return "wait";
  }

  #write(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const found = findMarker(this.#held, this.#inContent);
    if (found !== undefined && this.#isInString(this.#held.slice(0, found.at))) {
      this.#emit(parts, "content", this.#take(found.at + 1));
      return "again";
    }
    if (found !== undefined) {
      const before = this.#take(found.at);
      this.#emit(parts, "content", before.trimEnd());
      this.#gap = before.slice(before.trimEnd().length);
      this.#take(found.marker.length);
      this.#opening = found.marker;
      if (this.#openings.includes(found.marker)) this.#state = "call";
      return "again";
    }
    const free = end !== undefined && this.#isInString(this.#held) ? this.#held : this.#freeText(this.#inContent, end);
    // White space before a call belongs to the markup, so it is held until the next text decides.
    const isLast = free === this.#held && (end !== undefined || this.#inContent.length === 0);
    this.#emit(parts, "content", this.#take((isLast ? free : free.trimEnd()).length));
    if (end !== undefined) this.#held = "";
    return "wait";
  }

  /** Finishes a truncated call. False: it was no call. */
  #cutCall(parts: AnswerPart[]): boolean {
    const read = this.#options.calls?.readCut(this.#held, { opening: this.#opening, tools: this.#options.tools });
    if (read === undefined) return false;
    for (const one of read.calls) parts.push({ type: "tool_call", call: one });
    if (read.cut !== undefined)
      parts.push({ type: "cut_call", call: { ...read.cut, arguments: begunArguments(read.cut.arguments) } });
    this.#held = "";
    return true;
  }

  #readCall(parts: AnswerPart[], end: AnswerEnd | undefined): Step {
    const { calls, tools } = this.#options;
    const context = { opening: this.#opening, tools, scan: this.#scan };
    const whole = calls?.read(this.#held, { ...context, isEnd: false });
    if (whole === undefined && end === "length" && this.#cutCall(parts)) return "wait";
    const read = whole ?? (end && calls?.read(this.#held, { ...context, isEnd: true }));
    if (read === undefined) return "wait";
    this.#take(read.length);
    this.#scan = callScan();
    for (const one of read.calls) parts.push({ type: "tool_call", call: one });
    // A confused model repeats openings: they are no text either.
    const written = this.#inContent
      .filter(isMarkup)
      .reduce((rest, marker) => rest.replaceAll(marker, ""), read.text ?? "");
    const text = (isMarkup(this.#opening) || written === "" ? "" : this.#gap) + written;
    const cut = end === undefined || this.#held !== "" ? 0 : cutLength(text, this.#inContent, end);
    this.#emit(parts, "content", text.slice(0, text.length - cut));
    // After a call another may follow; after text there is only text.
    this.#isBehindCall = read.calls.length > 0;
    this.#state = this.#isBehindCall || read.goesOn === true ? "start" : "content";
    return this.#held === "" ? "wait" : "again";
  }
}

export function createTaggedParser(options: TaggedOptions): AnswerParser {
  const parser = new TaggedParser(options);
  return collectingParser(
    (text) => parser.collect(text),
    (end) => parser.run(end),
  );
}
