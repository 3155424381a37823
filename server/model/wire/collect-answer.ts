import type { TokenLogprob } from "../../contract/model/runner.ts";
import type { AnswerChunk, CutCall, DoneChunk, ToolCall } from "../chat-completion.ts";

/** A complete answer. */
export interface CollectedAnswer {
  readonly content: string;
  readonly thinking: string;
  /** The last one may be truncated. */
  readonly calls: readonly (ToolCall | CutCall)[];
  readonly logprobs: readonly TokenLogprob[];
  readonly done: DoneChunk;
}

/** Reads the chunks to their end. @throws what they throw */
export async function collectAnswer(
  chunks: AsyncIterable<AnswerChunk>,
  onCut: (cut: Extract<AnswerChunk, { type: "cut" }>) => void,
): Promise<CollectedAnswer> {
  let [content, thinking] = ["", ""];
  const calls: (ToolCall | CutCall)[] = [];
  const logprobs: TokenLogprob[] = [];
  let done: DoneChunk | undefined;
  for await (const chunk of chunks) {
    if (chunk.type === "content") content += chunk.text;
    else if (chunk.type === "thinking") thinking += chunk.text;
    else if (chunk.type === "tool_call" || chunk.type === "cut_call") calls.push(chunk.call);
    else if (chunk.type === "cut") onCut(chunk);
    else if (chunk.type === "done") done = chunk;
    if ("logprobs" in chunk) logprobs.push(...(chunk.logprobs ?? []));
  }
  if (done === undefined) throw new Error("the answer ended without its statistics");
  return { content, thinking, calls, logprobs, done };
}
