import type { AnswerChunk, ChatRequest, Completions } from "../chat-completion.ts";
import type { Library } from "../models/library/library.ts";
import { parseSentName } from "../models/library/model-name.ts";
import { randomId } from "../options/random-id.ts";

/** An answer without the calls behind its first. */
async function* withOneCall(chunks: AsyncIterable<AnswerChunk>): AsyncGenerator<AnswerChunk, void> {
  let calls = 0;
  for await (const chunk of chunks) {
    const isCall = chunk.type === "tool_call" || chunk.type === "cut_call";
    if (!isCall || calls++ === 0) yield chunk;
  }
}

/** Gives each call an id that no other one of the conversation has: models repeat those that they have read. */
async function* withOwnIds(
  chunks: AsyncIterable<AnswerChunk>,
  { messages }: Pick<ChatRequest, "messages">,
): AsyncGenerator<AnswerChunk, void> {
  const taken = new Set(["", ...messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))]);
  const ownId = (id: string) => {
    const own = taken.has(id) ? randomId("call_") : id;
    taken.add(own);
    return own;
  };
  for await (const chunk of chunks) {
    if (chunk.type === "tool_call") yield { ...chunk, call: { ...chunk.call, id: ownId(chunk.call.id) } };
    else if (chunk.type === "cut_call") yield { ...chunk, call: { ...chunk.call, id: ownId(chunk.call.id) } };
    else yield chunk;
  }
}

/**
 * Answers each request where its model runs: by the engine here, or at an upstream. `hasUpstreams` spares the others the
 * search.
 */
export function placeCompletions(
  library: Library,
  { here, remote }: { readonly here: Completions; readonly remote: Completions },
  hasUpstreams: () => boolean,
): Completions {
  async function placeOf({ model: sent }: { readonly model: string }): Promise<Completions> {
    if (!hasUpstreams()) return here;
    const name = parseSentName(sent);
    const model = name && (await library.find(name));
    return model?.remote === undefined ? here : remote;
  }

  return {
    async *chat(request, signal) {
      const chunks = withOwnIds((await placeOf(request)).chat(request, signal), request);
      yield* request.severalCalls ? chunks : withOneCall(chunks);
    },
    async *generate(request, signal) {
      yield* (await placeOf(request)).generate(request, signal);
    },
    async *load(request, signal) {
      yield* (await placeOf(request)).load(request, signal);
    },
    renderChat: async (request, signal) => (await placeOf(request)).renderChat(request, signal),
    renderPrompt: async (request, signal) => (await placeOf(request)).renderPrompt(request, signal),
    countTokens: async (request, signal) => (await placeOf(request)).countTokens(request, signal),
    embed: async (request, signal) => (await placeOf(request)).embed(request, signal),
    rank: async (request, signal) => (await placeOf(request)).rank(request, signal),
    tokenize: async (request, signal) => (await placeOf(request)).tokenize(request, signal),
    detokenize: async (request, signal) => (await placeOf(request)).detokenize(request, signal),
    capabilities: async (model) => (await placeOf({ model })).capabilities(model),
    unload: async (model) => (await placeOf({ model })).unload(model),
  };
}
