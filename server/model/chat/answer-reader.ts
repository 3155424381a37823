import { randomBytes } from "node:crypto";
import type { RunnerDone, TokenLogprob } from "../../contract/model/runner.ts";
import type { AnswerChunk, ChatRequest, DoneChunk } from "../chat-completion.ts";
import type { GenerationChunk } from "../engine/engine.ts";
import { randomId } from "../options/random-id.ts";
import type { AnswerParser, AnswerPart } from "./answer/answer-part.ts";
import type { Completion } from "./completion.ts";

/** Nanoseconds since `began`, at least 1, because some clients treat a zero as a missing figure. */
export const since = (beganMs: number) => Math.max(1, Math.round((performance.now() - beganMs) * 1e6));

const newCallId = () => `call_${[...randomBytes(8)].map((byte) => (byte % 36).toString(36)).join("")}`;

/**
 * Gives each call of an answer an id that no other one of the conversation has, because models repeat those that they have
 * read; and keeps only the first call where the client wants one. Returns undefined for a chunk to leave out.
 */
export function ownCalls({
  messages,
  severalCalls,
}: Pick<ChatRequest, "messages" | "severalCalls">): (chunk: AnswerChunk) => AnswerChunk | undefined {
  const taken = new Set(["", ...messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))]);
  let calls = 0;
  const ownId = (id: string) => {
    const own = taken.has(id) ? randomId("call_") : id;
    taken.add(own);
    return own;
  };
  return (chunk) => {
    if (chunk.type !== "tool_call" && chunk.type !== "cut_call") return chunk;
    if (calls++ > 0 && !severalCalls) return undefined;
    if (chunk.type === "tool_call") return { ...chunk, call: { ...chunk.call, id: ownId(chunk.call.id) } };
    return { ...chunk, call: { ...chunk.call, id: ownId(chunk.call.id) } };
  };
}

/**
 * Reads the generated text of one answer into chunks: numbers the calls, hides what the client does not want, and keeps
 * the figures. Call `read` for each piece, then `end` once; an answer that breaks off has no end.
 */
export class AnswerReader {
  /** When the first text came, by `performance.now()`. */
  firstTextAtMs: number | undefined;
  /** Pieces of text so far: about as many tokens, which the engine has not counted yet. */
  pieces = 0;
  /** All thoughts so far, hidden or not. */
  thoughts = "";
  /** Calls so far that were read although the model missed its own markup. */
  recoveredCalls = 0;
  readonly #completion: Completion;
  readonly #parser: AnswerParser;
  readonly #chosen: (chunk: AnswerChunk) => AnswerChunk | undefined;
  #calls = 0;
  /** Those of tokens that have produced no text yet. */
  #logprobs: TokenLogprob[] = [];

  constructor(completion: Completion, parser: AnswerParser) {
    this.#completion = completion;
    this.#parser = parser;
    this.#chosen = "messages" in completion.request ? ownCalls(completion.request) : (chunk) => chunk;
  }

  read(chunk: Exclude<GenerationChunk, RunnerDone>): AnswerChunk[] {
    if (chunk.type === "progress") return [{ type: "progress", completed: chunk.evaluated, total: chunk.total }];
    this.firstTextAtMs ??= performance.now();
    this.pieces++;
    if (this.#completion.request.logprobs !== undefined) this.#logprobs.push(...(chunk.logprobs ?? []));
    return this.#chunksOf(this.#parser.push(chunk.text));
  }

  /** The rest of the text, and why the answer ended. `hasGrammar`: whether a grammar made the text. */
  end(done: RunnerDone, hasGrammar: boolean): { chunks: AnswerChunk[]; reason: DoneChunk["figures"]["done_reason"] } {
    // A stop text ends an answer anywhere, as the limit does: in a call, too.
    const isStopped = done.stop !== undefined;
    const parts = this.#parser.end(isStopped ? "length" : done.reason);
    const isCut = isStopped && (hasGrammar || parts.some(({ type }) => type === "cut_call"));
    const chunks = this.#chunksOf(parts);
    if (this.#logprobs.length > 0) chunks.push({ type: "content", text: "", ...this.#takeLogprobs() });
    return { chunks, reason: isCut ? "length" : done.reason };
  }

  #chunksOf(parts: readonly AnswerPart[]): AnswerChunk[] {
    return parts.flatMap((part) => this.#chunkOf(part) ?? []);
  }

  #chunkOf(part: AnswerPart): AnswerChunk | undefined {
    if (part.type === "thinking") {
      this.thoughts += part.text;
      if (this.#completion.source.hidesThoughts) return undefined;
    }
    if (part.type === "content" || part.type === "thinking") return { ...part, ...this.#takeLogprobs() };
    if (part.type === "tool_call" && part.isRecovered === true) this.recoveredCalls++;
    const numbers = { id: part.call.id ?? newCallId(), index: this.#calls++ };
    const logprobs = this.#takeLogprobs();
    return this.#chosen(
      part.type === "tool_call"
        ? { type: part.type, call: { ...part.call, ...numbers }, ...logprobs }
        : { type: part.type, call: { ...part.call, ...numbers }, ...logprobs },
    );
  }

  #takeLogprobs(): { readonly logprobs?: readonly TokenLogprob[] } {
    const logprobs = this.#logprobs;
    this.#logprobs = [];
    return logprobs.length > 0 ? { logprobs } : {};
  }
}
