/** Requests in the shape of OpenAI's API. Members of the engines' own are sent only where the client asked for them. */
import type { Sampling } from "../../contract/model/model-options.ts";
import type { ChatMessage, ChatRequest, ModelRequest, PromptRequest } from "../chat-completion.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import { imageType } from "./image-type.ts";

/** The names that engines have for Ollama's options; none for one that they lack, or that is sent in another form. */
const optionNames = {
  temperature: ["temperature"],
  top_p: ["top_p"],
  top_k: ["top_k"],
  min_p: ["min_p"],
  presence_penalty: ["presence_penalty"],
  frequency_penalty: ["frequency_penalty"],
  repeat_penalty: ["repeat_penalty", "repetition_penalty"],
  repeat_last_n: [],
  seed: [],
  stop: ["stop"],
} satisfies Readonly<Record<keyof Sampling | "stop", readonly string[]>>;

/** Whether the answer is to have no token. */
export const allowsNoToken = ({ options }: ModelRequest) => resolveOptions(options).num_predict === 0;

/** Engines refuse a limit of 0, or take it for none, so they get 1. @throws OllamaError for an option of a wrong type */
function openAiOptions(raw: RawOptions): Record<string, unknown> {
  const options = resolveOptions(raw);
  const isSet = (name: string) => raw[name] !== undefined && raw[name] !== null;
  const sent = Object.entries(optionNames).flatMap(([name, theirs]) =>
    isSet(name) ? theirs.map((one) => [one, options[name as keyof typeof optionNames]] as const) : [],
  );
  return {
    ...Object.fromEntries(sent),
    ...(isSet("seed") && options.seed >= 0 && { seed: options.seed }),
    ...(options.num_predict >= 0 && { max_tokens: Math.max(1, options.num_predict) }),
  };
}

const formatOf = (format: ChatRequest["format"]) =>
  format === undefined
    ? undefined
    : format === "json"
      ? { type: "json_object" }
      : { type: "json_schema", json_schema: { name: "answer", schema: format } };

/** A level is OpenAI's own; on and off are a variable of the chat template in vLLM and llama-server. */
function thinkingOf({ think, choosesThink = false }: Pick<ChatRequest, "think" | "choosesThink">) {
  if (think === undefined || choosesThink) return {};
  if (typeof think === "string") return { reasoning_effort: think === "max" ? "high" : think };
  return { ...(!think && { reasoning_effort: "none" }), chat_template_kwargs: { enable_thinking: think } };
}

const imagePart = (data: string) => ({
  type: "image_url",
  image_url: { url: `data:${imageType(data)};base64,${data}` },
});

/** Thoughts of earlier turns stay here: not every engine takes them. */
function messageOf({ role, content, images = [], toolCalls = [], toolCallId }: ChatMessage) {
  return {
    role,
    content: images.length === 0 ? content : [{ type: "text", text: content }, ...images.map(imagePart)],
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
    ...(role === "tool" && { tool_call_id: toolCallId }),
  };
}

const streamed = { stream: true, stream_options: { include_usage: true } };

/** @throws OllamaError for an option of a wrong type */
export const openAiChatBody = (request: ChatRequest) => ({
  model: request.model,
  ...streamed,
  messages: request.messages.map(messageOf),
  ...openAiOptions(request.options),
  ...thinkingOf(request),
  response_format: formatOf(request.format),
  ...(request.logprobs !== undefined && { logprobs: true, top_logprobs: request.logprobs }),
  ...(request.tools.length > 0 && {
    tools: request.tools.map((tool) => ({ type: "function", function: tool })),
    tool_choice:
      typeof request.toolChoice === "object" ? { type: "function", function: request.toolChoice } : request.toolChoice,
    ...(!request.severalCalls && { parallel_tool_calls: false }),
  }),
});

/**
 * A prompt that no template is put around, for /completions.
 * @throws OllamaError for an option of a wrong type, 400 for what that route lacks
 */
export function completionBody(request: PromptRequest) {
  const lacking = request.format !== undefined ? "format" : request.logprobs !== undefined ? "logprobs" : undefined;
  if (lacking !== undefined)
    throw new OllamaError(
      400,
      `"${request.model}" runs at an upstream that does not support ${lacking} with raw or suffix`,
    );
  return {
    model: request.model,
    ...streamed,
    prompt: request.prompt,
    suffix: request.suffix,
    ...openAiOptions(request.options),
  };
}
