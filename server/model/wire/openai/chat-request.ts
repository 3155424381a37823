/** Reads requests of POST /v1/chat/completions. */
import type { OpenAiChat } from "../../../contract/model/openai.ts";
import type { ChatRequest } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { asksSomething, FieldRefusal, read, refuseUnsupported, type Members } from "../field-refusal.ts";
import { asObject } from "../json-value.ts";
import { modelMembers, optionMembers, readOptions } from "./request/read-options.ts";
import { readEffort } from "./request/read-effort.ts";
import { readFormat } from "./request/read-format.ts";
import { readMessages } from "./request/read-messages.ts";
import { readChatTools, readOpenAiToolChoice } from "./request/read-tools.ts";

/** OpenAI's defaults. They override the model's own parameters, as in Ollama. */
export const openAiDefaults = { temperature: 1, top_p: 1 };

/** The members of both kinds of completions. */
export const completionMembers = {
  ...modelMembers,
  ...optionMembers,
  ...read("stream", "stream_options", "max_tokens", "n", "logprobs"),
  logit_bias: { hint: "single tokens cannot be weighted" },
};

const textOnly = "only text answers are supported";

const members: Members<OpenAiChat> = {
  ...completionMembers,
  ...read("messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "max_completion_tokens"),
  ...read("reasoning", "reasoning_effort", "top_logprobs"),
  functions: { hint: "use tools" },
  // Without functions the words choose nothing.
  function_call: { hint: "use tool_choice", asks: (value) => typeof value !== "string" && asksSomething(value) },
  modalities: { hint: textOnly, asks: (value) => Array.isArray(value) && value.some((one) => one !== "text") },
  audio: { hint: textOnly },
  // Even an empty one asks for a search.
  web_search_options: {
    hint: "this server does not search the web",
    asks: (value) => value !== undefined && value !== null,
  },
};

/** The number of alternatives for each token; undefined: none are asked for. @throws OllamaError 400 naming `member` */
export function readTopLogprobs(wanted: boolean, top = 0, member = "top_logprobs"): number | undefined {
  if (top < 0 || top > 20) throw new OllamaError(400, `${member} must be between 0 and 20`);
  return wanted ? top : undefined;
}

/** @throws OllamaError 400 */
export function chatRequestOfOpenAi(body: OpenAiChat): ChatRequest {
  refuseUnsupported(body, members);
  const messages = readMessages(body.messages ?? []);
  if (body.model === undefined || body.model === "") throw new OllamaError(400, "model is required");
  if ((body.n ?? 1) !== 1) throw new FieldRefusal("n", "n must be 1: this server returns one answer per chat");
  return {
    model: body.model,
    messages,
    tools: readChatTools(body.tools),
    toolChoice: readOpenAiToolChoice(body.tool_choice),
    severalCalls: body.parallel_tool_calls ?? true,
    options: readOptions(body, body.max_completion_tokens ?? body.max_tokens, openAiDefaults),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    format: readFormat(body.response_format, "response_format", (format) => asObject(format["json_schema"])["schema"]),
    think: readEffort(body.reasoning_effort ?? body.reasoning?.effort),
    truncate: true,
    shift: true,
    logprobs: readTopLogprobs(body.logprobs === true, body.top_logprobs),
    progress: false,
  };
}
