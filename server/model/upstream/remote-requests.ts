/** The requests that an upstream gets: with the options, the instructions and the messages of the model here. */
import type { AnswerChunk, ChatMessage, ChatRequest, ModelRequest, PromptRequest } from "../chat-completion.ts";
import { modelHistory } from "../chat/chat.ts";
import { chatMessages, withModelMessages } from "../chat/prompt/chat-messages.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import type { UpstreamApi } from "./upstream-api.ts";

/** The model's parameters under the client's options, none of a wrong type; defaults are the upstream's. @throws OllamaError */
export function remoteOptions({ parameters }: InstalledModel, { options }: Pick<ModelRequest, "options">): RawOptions {
  const set = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  const all = { ...parameters, ...Object.fromEntries(set) };
  resolveOptions(all);
  return all;
}

const messagesOf = (model: InstalledModel, messages: readonly ChatMessage[], system = model.system) =>
  chatMessages(withModelMessages(messages, { system, history: modelHistory(model) }));

/** `id`: the model's name at the upstream. @throws OllamaError */
export const remoteChat = (model: InstalledModel, request: ChatRequest, id: string): ChatRequest => ({
  ...request,
  model: id,
  messages: messagesOf(model, request.messages),
  tools: request.toolChoice === "none" ? [] : request.tools,
  options: remoteOptions(model, request),
});

/** Has an upstream complete a prompt: as a chat where the model has messages, for which a prompt has no place. */
export function generateAt(
  { api, id }: { readonly api: UpstreamApi; readonly id: string },
  model: InstalledModel,
  request: PromptRequest,
  signal: AbortSignal,
): AsyncIterable<AnswerChunk> {
  const own = { model: id, options: remoteOptions(model, request) };
  const isPlain = request.raw || request.suffix !== undefined || request.context.length > 0;
  const system = isPlain ? request.system : (request.system ?? model.system);
  if (isPlain || (model.messages?.length ?? 0) === 0) return api.generate({ ...request, ...own, system }, signal);
  const messages = messagesOf(model, [{ role: "user", content: request.prompt, images: request.images }], system);
  return api.chat({ ...request, ...own, messages, tools: [], toolChoice: "none", severalCalls: true }, signal);
}
