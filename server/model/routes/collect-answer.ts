import type { TokenLogprob } from "../../contract/runner.ts";
import type { AnswerChunk, DoneChunk, ToolCall } from "../chat-completion.ts";

/** An answer, whole. */
export interface Answer {
  readonly content: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly logprobs: readonly TokenLogprob[];
  readonly done: DoneChunk;
}

/** Reads the chunks to their end. @throws what they throw */
export async function collectAnswer(chunks: AsyncIterable<AnswerChunk>): Promise<Answer> {
  let [content, thinking] = ["", ""];
  const calls: ToolCall[] = [];
  const logprobs: TokenLogprob[] = [];
  let done: DoneChunk | undefined;
  for await (const chunk of chunks) {
    if (chunk.type === "content") content += chunk.text;
    else if (chunk.type === "thinking") thinking += chunk.text;
    else if (chunk.type === "tool_call") calls.push(chunk.call);
    else if (chunk.type === "done") done = chunk;
    if ("logprobs" in chunk) logprobs.push(...(chunk.logprobs ?? []));
  }
  if (done === undefined) throw new Error("the answer ended without its figures");
  return { content, thinking, calls, logprobs, done };
}
