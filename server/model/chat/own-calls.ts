import type { AnswerChunk, ChatRequest } from "../chat-completion.ts";
import { randomId } from "../options/random-id.ts";

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
