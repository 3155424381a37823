/**
 * Parses answers with thoughts between two tags and calls behind an opening: most families, each with texts of its own.
 */
import type { ToolDefinition } from "../../chat-completion.ts";
import { collectingParser, type AnswerEnd, type AnswerParser, type AnswerPart, type ParseStep } from "./answer-part.ts";
import { callScan, type CallSyntax, type ReadCalls } from "./call-syntax.ts";
import { DraftedCalls, mostDrafts } from "./drafted-calls.ts";
import { begunArguments, createJsonStrings } from "./json-in-text.ts";
import type { ThoughtTags } from "./thought-tags.ts";
import { cutLength, findMarker, heldLength, isMarkup, mayTurnInto, type FoundMarker } from "./find-marker.ts";

export interface TaggedOptions {
  readonly thoughts: ThoughtTags | undefined;
  /** The prompt opened the tag: the answer begins inside the thoughts. */
  readonly startsInside: boolean;
  /** The beginning of the content, or thoughts, that the client wrote: the answer continues it, white space included. */
  readonly begun: string;
  readonly calls: CallSyntax | undefined;
  readonly tools: readonly ToolDefinition[];
  /** Markup around the content that is no part of it. */
  readonly leftovers: readonly string[];
  /** A text in front of the content that is no part of it. */
  readonly lead: string;
  /** Whether the content is JSON, in whose strings markup is text. */
  readonly isJson: boolean;
}

/** `start`: only white space so far, here or after the thoughts. */
type State = "start" | "thinking" | "draft" | "content" | "call";

/**
 * Reads the tagged text of one answer. States: start → thinking → start → content ⇄ call; a call may be followed by another
 * start, and thoughts by a draft of calls, which are thoughts again unless the answer ends with them. Text that may become a marker is held until the following text decides.
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
  #mayLead = true;
  #isBehindCall = false;
  #draft: DraftedCalls | undefined;
  /** A call was the last part of the answer so far. */
  #endsInCall = false;
  readonly #strings = createJsonStrings();
  readonly #openings: readonly string[];
  /** Those that begin a call even in thoughts which the model has forgotten to close. */
  #draftOpenings: readonly string[];
  #drafts = 0;
  /** Markers that may come in the content. */
  readonly #inContent: readonly string[];

  constructor(options: TaggedOptions, state: State) {
    const { thoughts, startsInside, begun, calls, leftovers } = options;
    this.#options = options;
    this.#state = state;
    this.#mayThink = thoughts !== undefined && !startsInside;
    this.#isThoughtEmpty = !startsInside || begun === "";
    this.#mayRepeat = startsInside && begun === "";
    if (!startsInside) this.#strings.take(begun);
    this.#openings = calls?.open ?? [];
    this.#draftOpenings = this.#openings.filter(isMarkup);
    this.#inContent = [...this.#openings, ...(calls?.ignored ?? []), ...leftovers];
  }

  collect(text: string): void {
    this.#held += text;
  }

  /** Parses as much as possible; at the end all of it. */
  run(end?: AnswerEnd): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let step: ParseStep = "again";
    while (step === "again") {
      if (this.#state === "start") step = this.#start(end);
      else if (this.#state === "thinking") step = this.#think(parts, end);
      else if (this.#state === "draft") step = this.#readDraft(parts, end);
      else step = this.#state === "content" ? this.#write(parts, end) : this.#readCall(parts, end);
      if (this.#held === "" && this.#state !== "call" && this.#state !== "draft") step = "wait";
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
    if (text === "") return;
    parts.push({ type, text });
    this.#endsInCall = false;
  }

  #isInString(text: string): boolean {
    return this.#options.isJson && this.#strings.isOpenBehind(text);
  }

  /** The held text without an end that may be the beginning of a marker. */
  #freeText(markers: readonly string[], end: AnswerEnd | undefined): string {
    const mayFollow = end === undefined || this.#endsInCall;
    const length = mayFollow ? heldLength(this.#held, markers) : cutLength(this.#held, markers, end);
    return this.#held.slice(0, this.#held.length - length);
  }

  #start(end: AnswerEnd | undefined): ParseStep {
    // Calls without an opening are separated by semicolons, and models close too many brackets.
    this.#held =
      this.#isBehindCall && this.#options.calls?.mayBeBare !== undefined
        ? this.#held.replace(/^[\s;\]}]+/, "")
        : this.#held.trimStart();
    if (this.#held === "" && end === undefined) return "wait";
    this.#isBehindCall = false;
    const { thoughts, calls, tools, lead } = this.#options;
    if (this.#mayThink && thoughts !== undefined) {
      const { open, otherOpen = open, close } = thoughts;
      // Other tags than this one are tokens of their own, and never text.
      const tags = close === "</think>" ? [open, otherOpen] : [open, otherOpen, close];
      const tag = tags.find((one) => this.#held.startsWith(one));
      const mayBeLonger = end === undefined && tag === otherOpen && tag !== open && open.startsWith(this.#held);
      if (tag !== undefined && !mayBeLonger) {
        this.#take(tag.length);
        // An answer without thoughts may begin with their end.
        this.#mayThink = tag !== close;
        this.#mayRepeat = tag === otherOpen && tag !== open;
        this.#state = this.#mayThink ? "thinking" : "start";
        return this.#held === "" ? "wait" : "again";
      }
      if (end === undefined && mayTurnInto(this.#held, tags)) return "wait";
      if (end !== undefined) this.#held = this.#freeText(tags, end);
      this.#mayThink = false;
    }
    if (lead !== "" && this.#mayLead) {
      if (end === undefined && lead !== this.#held && mayTurnInto(this.#held, [lead])) return "wait";
      this.#mayLead = false;
      if (this.#take(this.#held.startsWith(lead) ? lead.length : 0) !== "") return "again";
    }
    this.#opening = "";
    this.#state = this.#held !== "" && calls?.mayBeBare?.(this.#held, tools) === true ? "call" : "content";
    return "again";
  }

  #think(parts: AnswerPart[], end: AnswerEnd | undefined): ParseStep {
    const { open, close, otherClose = close } = this.#options.thoughts ?? { open: "", close: "" };
    if (this.#isThoughtEmpty) {
      this.#held = this.#held.trimStart();
      if (this.#mayRepeat && this.#held.startsWith(open)) {
        this.#mayRepeat = false;
        this.#held = this.#held.slice(open.length).trimStart();
      } else if (end === undefined && this.#mayRepeat && this.#held !== "" && mayTurnInto(this.#held, [open]))
        return "wait";
    }
    const markers = [close, otherClose, ...this.#draftOpenings];
    const found = findMarker(this.#held, markers);
    if (found !== undefined) {
      const before = this.#take(found.at);
      this.#emit(parts, "thinking", before.trimEnd());
      if (found.marker !== close && found.marker !== otherClose) {
        this.#gap = before.slice(before.trimEnd().length);
        this.#state = "draft";
        return "again";
      }
      this.#take(found.marker.length);
      this.#isThoughtEmpty = true;
      this.#mayRepeat = false;
      this.#state = "start";
      return "again";
    }
    const ready = this.#freeText(end === undefined ? markers : [open, ...markers], end).trimEnd();
    this.#isThoughtEmpty &&= ready === "";
    this.#emit(parts, "thinking", this.#take(ready.length));
    if (end !== undefined) this.#held = "";
    return "wait";
  }

  #readDraft(parts: AnswerPart[], end: AnswerEnd | undefined): ParseStep {
    this.#draft ??= new DraftedCalls(parserOf(new TaggedParser(this.#options, "content")), this.#options.tools);
    const read = this.#draft.read(this.#held, end);
    if (read === undefined) return "wait";
    this.#draft = undefined;
    this.#state = "thinking";
    const { length = 1 } = findMarker(this.#held, this.#draftOpenings)?.marker ?? {};
    const text = this.#gap + this.#take(read === "thoughts" ? length : this.#held.length);
    if (read === "thoughts") this.#emit(parts, "thinking", text);
    else parts.push(...read);
    // Each draft reads the text once more.
    if (++this.#drafts === mostDrafts) this.#draftOpenings = [];
    this.#isThoughtEmpty = false;
    return this.#held === "" ? "wait" : "again";
  }

  /** Whether the found marker may be part of a longer one, which is not whole yet. */
  #mayBeLonger({ at }: FoundMarker): boolean {
    return this.#held.length - heldLength(this.#held, this.#inContent) <= at;
  }

  #write(parts: AnswerPart[], end: AnswerEnd | undefined): ParseStep {
    const found = findMarker(this.#held, this.#inContent);
    if (found !== undefined && this.#isInString(this.#held.slice(0, found.at))) {
      this.#emit(parts, "content", this.#take(found.at + 1));
      return "again";
    }
    if (found !== undefined && end === undefined && this.#mayBeLonger(found)) {
      this.#emit(parts, "content", this.#take(this.#freeText(this.#inContent, end).trimEnd().length));
      return "wait";
    }
    if (found !== undefined) {
      const before = this.#take(found.at);
      this.#emit(parts, "content", before.trimEnd());
      this.#gap = before.slice(before.trimEnd().length);
      this.#take(found.marker.length);
      this.#opening = found.marker;
      if (this.#openings.includes(found.marker)) this.#state = "call";
      else if (this.#endsInCall) this.#state = "start";
      else this.#held = this.#gap + this.#held;
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

  /** Text up to an opening that may begin the call which the text before it only resembled. */
  #literal(parts: AnswerPart[], text: string): ParseStep {
    this.#emit(parts, "content", this.#gap + this.#opening + this.#take(text.trimEnd().length));
    this.#scan = callScan();
    this.#state = "content";
    return this.#held === "" ? "wait" : "again";
  }

  #readCall(parts: AnswerPart[], end: AnswerEnd | undefined): ParseStep {
    const { calls, tools } = this.#options;
    const context = { opening: this.#opening, tools, scan: this.#scan, isBehindCall: this.#endsInCall };
    const whole = calls?.read(this.#held, { ...context, isEnd: false });
    if (whole === undefined && end === "length" && this.#cutCall(parts)) return "wait";
    const read = whole ?? (end && calls?.read(this.#held, { ...context, isEnd: true }));
    if (read === undefined) return "wait";
    if (read.isLiteral === true) return this.#literal(parts, "");
    if (read.calls.length === 0 && this.#opening !== "") {
      const next = findMarker(this.#held.slice(0, read.length), this.#openings);
      const before = this.#held.slice(0, next?.at);
      // A confused model repeats openings.
      if (next !== undefined && before.trim() === "") this.#opening = "";
      if (next !== undefined) return this.#literal(parts, before);
    }
    this.#take(read.length);
    this.#scan = callScan();
    this.#emitCalls(parts, read);
    this.#emitText(parts, read.text ?? "", end);
    if (read.staysInside === true) return this.#held === "" ? "wait" : "again";
    // After a call another may follow; after text there is only text.
    this.#isBehindCall = read.calls.length > 0;
    this.#state = this.#isBehindCall || read.goesOn === true ? "start" : "content";
    return this.#held === "" ? "wait" : "again";
  }

  #emitCalls(parts: AnswerPart[], { calls, isRecovered = false }: ReadCalls): void {
    for (const call of calls) parts.push({ type: "tool_call", call, ...(isRecovered && { isRecovered }) });
    this.#endsInCall ||= calls.length > 0;
  }

  /** Emits the text that stood in the place of a call. */
  #emitText(parts: AnswerPart[], text: string, end: AnswerEnd | undefined): void {
    // A confused model repeats openings: they are no text either.
    const written = this.#inContent.filter(isMarkup).reduce((rest, marker) => rest.replaceAll(marker, ""), text);
    const content = (isMarkup(this.#opening) || written === "" ? "" : this.#gap) + written;
    const cut = end === undefined || this.#held !== "" ? 0 : cutLength(content, this.#inContent, end);
    this.#emit(parts, "content", content.slice(0, content.length - cut));
  }
}

const parserOf = (parser: TaggedParser): AnswerParser =>
  collectingParser(
    (text) => parser.collect(text),
    (end) => parser.run(end),
  );

export function createTaggedParser(options: TaggedOptions): AnswerParser {
  const { startsInside, begun } = options;
  return parserOf(new TaggedParser(options, startsInside ? "thinking" : begun === "" ? "start" : "content"));
}
