/** POST /v1/messages and its count of tokens: the request as the model service takes it. */
import { isObject } from "../../../contract/is-object.ts";
import type { AnthropicRequest } from "../../../contract/model/anthropic.ts";
import type { ChatRequest, SchemaRecord, ThinkLevel } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { read, refuseUnsupported, type Members } from "../field-refusal.ts";
import { asObject, definedMembers, givenTexts } from "../json-value.ts";
import { DetailedRefusal } from "./anthropic-errors.ts";
import { readSystem, readTurns } from "./read-blocks.ts";
import { readAnthropicToolChoice, readAnthropicTools } from "./read-tools.ts";

const efforts = new Map<string | undefined, ThinkLevel>([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "max"],
]);

/** An effort without a thinking option turns thinking on; unknown types leave it to the model. */
function readThink({ thinking, output_config: output }: AnthropicRequest): undefined | boolean | ThinkLevel {
  if (thinking?.type === "disabled") return false;
  return efforts.get(output?.effort) ?? (thinking?.type === "enabled" ? true : undefined);
}

function readFormat(format: unknown): undefined | SchemaRecord {
  if (format === undefined || format === null) return undefined;
  const { type, schema } = asObject(format);
  if (type !== "json_schema" || !isObject(schema))
    throw new OllamaError(400, 'invalid output_config.format: expected {"type":"json_schema","schema":{…}}');
  return schema;
}

/** Missing options keep Ollama's defaults and the model's own parameters. */
const readAnthropicOptions = (body: AnthropicRequest) => ({
  ...definedMembers(body.options ?? {}),
  ...definedMembers({
    num_ctx: body.num_ctx,
    num_predict: body.max_tokens,
    temperature: body.temperature,
    top_p: body.top_p,
    top_k: body.top_k,
    stop: givenTexts(body.stop_sequences),
  }),
});

const members: Members<AnthropicRequest> = {
  ...read("model", "messages", "system", "stream", "tools", "tool_choice", "thread", "thinking", "output_config"),
  ...read("output_format", "keep_alive", "options", "num_ctx", "max_tokens", "temperature", "top_p", "top_k"),
  ...read("stop_sequences"),
  mcp_servers: { hint: "send your own tools instead" },
  container: { hint: "this server does not run code" },
};

/** Anthropic's clients send the history whole when they read this. */
function refuseThread(thread: unknown): void {
  if (thread === undefined || thread === null) return;
  const details = { error_code: "thread_unsupported_request", unsupported: ["thread"] };
  throw new DetailedRefusal("thread: this server keeps no histories; send all messages", details);
}

/** `counting`: nothing is to be answered, so there need be no limit. @throws OllamaError 400 */
export function chatRequestOfAnthropic(body: AnthropicRequest, counting = false): ChatRequest {
  refuseThread(body.thread);
  refuseUnsupported(body, members);
  if (body.model === undefined || body.model === "") throw new OllamaError(400, "model is required");
  if (!counting && (body.max_tokens === undefined || body.max_tokens <= 0))
    throw new OllamaError(400, "max_tokens is required and must be positive");
  if (body.messages === undefined || body.messages.length === 0) throw new OllamaError(400, "messages is required");
  return {
    model: body.model,
    messages: [...readSystem(body.system), ...readTurns(body.messages)],
    tools: readAnthropicTools(body.tools),
    toolChoice: readAnthropicToolChoice(body.tool_choice),
    severalCalls: asObject(body.tool_choice)["disable_parallel_tool_use"] !== true,
    options: readAnthropicOptions(body),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    format: readFormat(body.output_config?.format ?? body.output_format),
    think: readThink(body),
    truncate: true,
    shift: true,
    logprobs: undefined,
    // The first event contains the prompt's length, which only the progress reveals before the answer.
    progress: body.stream === true,
  };
}
