/** Reads requests of generate and chat into completion options and validates them as in the contract. */
import type {
  OllamaChatRequest,
  GenerateRequest as GenerateBody,
  OllamaMessage,
} from "../../../contract/model/ollama.ts";
import { earlierArguments } from "../../chat/answer/json-in-text.ts";
import type {
  ChatMessage,
  ModelTarget,
  SchemaRecord,
  ThinkLevel,
  ToolChoice,
  ToolDefinition,
} from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { asObject } from "../json-value.ts";
import { readImageUrl } from "../read-image.ts";

const thinkLevels: readonly unknown[] = ["high", "medium", "low", "max"] satisfies ThinkLevel[];
const thinkValues = `"high", "medium", "low", "max", true, or false`;
const isThinkLevel = (value: unknown): value is ThinkLevel => thinkLevels.includes(value);

/** @throws OllamaError 400 */
export function readThink(think: unknown): undefined | boolean | ThinkLevel {
  if (think === undefined || think === null) return undefined;
  if (typeof think === "boolean" || isThinkLevel(think)) return think;
  if (typeof think === "string")
    throw new OllamaError(400, `invalid think value: ${JSON.stringify(think)} (must be ${thinkValues})`);
  throw new OllamaError(400, `think must be a boolean or string (${thinkValues})`);
}

function readFormat(format: unknown): undefined | "json" | SchemaRecord {
  if (format === undefined || format === null || format === "") return undefined;
  if (format === "json") return format;
  if (typeof format === "object" && !Array.isArray(format)) return format as SchemaRecord;
  throw new OllamaError(
    500,
    `invalid format: ${JSON.stringify(JSON.stringify(format))}; expected "json" or a valid JSON Schema object`,
  );
}

/** @throws OllamaError for a model that does not generate text; returns its capabilities */
export async function checkGenerates({ model, completions }: ModelTarget, sent: string, what: "chat" | "generate") {
  const capabilities = await completions.capabilities(model);
  if (!capabilities.includes("completion"))
    throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
  return capabilities;
}

/** The members of both kinds of requests. @throws OllamaError */
export function readCommon(body: GenerateBody | OllamaChatRequest) {
  const { logprobs, top_logprobs: top = 0 } = body;
  const think = readThink(body.think);
  if (top < 0 || top > 20) throw new OllamaError(400, "top_logprobs must be between 0 and 20");
  return {
    model: body.model ?? "",
    keepAliveMs: parseKeepAlive(body.keep_alive),
    format: readFormat(body.format),
    think,
    truncate: body.truncate ?? true,
    shift: body.shift ?? true,
    logprobs: logprobs === true ? top : undefined,
    progress: body.progress ?? false,
  };
}

/** Plain base64. The head of a data URI, which some clients leave, is removed. */
export function readBase64Image(image: string): string {
  const data = image.replace(/^data:[^,]*;base64,/, "");
  const wrong = data.search(/[^A-Za-z0-9+/=\r\n]|=(?!=?[\r\n]*$)/);
  if (wrong >= 0 || data.replace(/[\r\n]/g, "").length % 4 !== 0)
    throw new OllamaError(400, `illegal base64 data at input byte ${String(wrong < 0 ? data.length : wrong)}`);
  return data;
}

/** Arguments of earlier calls: an object, or its JSON. @throws OllamaError 400 */
function readArguments(sent: string | Record<string, unknown> | undefined): Record<string, unknown> {
  const members = earlierArguments(sent);
  if (members === undefined) throw new OllamaError(400, "the arguments of a tool call must be a JSON object");
  return members;
}

/** The image of a part that has one, as the clients of /v1 write it. @throws OllamaError 400 for a part of another type */
function imagesOf({ type, image_url: image }: { type: string; image_url?: unknown }): string[] {
  if (type === "text") return [];
  if (type === "image_url") return [readImageUrl(image)];
  const hint = "send text and image_url parts, or base64 in images";
  throw new OllamaError(400, `a content part of type ${JSON.stringify(type)} is not supported: ${hint}`);
}

export function readOllamaMessage(message: OllamaMessage, at: number): ChatMessage {
  const { role, content, thinking, images = [], tool_calls: calls = [], tool_name, tool_call_id } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return {
    role,
    content: parts.map(({ type, text = "" }) => (type === "text" ? text : "")).join(""),
    thinking,
    images: [...images.map(readBase64Image), ...parts.flatMap(imagesOf)],
    toolCalls: calls.map((call, index) => ({
      // An empty value counts as missing, as in Go.
      id: call.id || `call_${String(at)}_${String(index)}`,
      name: call.function.name,
      arguments: readArguments(call.function.arguments),
    })),
    toolName: tool_name || undefined,
    toolCallId: tool_call_id || undefined,
  };
}

export const readOllamaTools = (tools: OllamaChatRequest["tools"] = []): ToolDefinition[] =>
  tools.map(({ function: tool }) => ({
    name: tool?.name ?? "",
    description: tool?.description,
    parameters: tool?.parameters,
  }));

const toolChoices = new Map<unknown, ToolChoice>([
  ["none", "none"],
  ["required", "required"],
  ["any", "required"],
]);

/**
 * The native API has no such member, but clients send it in the shapes of others: a word, `{type}` with one, or one tool by
 * its name, as `{function: {name}}` or `{name}`. Any other value is ignored, as Ollama ignores all of it.
 */
export function readOllamaToolChoice(choice: unknown): ToolChoice {
  if (choice === undefined) return "auto";
  const { type, name, function: called } = asObject(choice);
  const chosen = asObject(called)["name"] ?? name;
  if (typeof chosen === "string") return { name: chosen };
  return toolChoices.get(type ?? choice) ?? "auto";
}
