/** Reads messages of a chat in OpenAI's format. */
import type { OpenAiMessage } from "../../../../contract/model/openai.ts";
import { earlierArguments } from "../../../chat/answer/json-in-text.ts";
import type { ChatMessage } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { asksSomething, FieldRefusal } from "../../field-refusal.ts";
import { asObject, asText, type JsonObject } from "../../json-value.ts";
import { readBase64, readImageUrl } from "../../read-image.ts";

interface Content {
  readonly text: string;
  readonly images: readonly string[];
}

/** Ollama's word for the type of a content that it does not take. */
function goType(value: unknown): string {
  if (value === undefined || value === null) return "<nil>";
  return typeof value === "number" ? "float64" : typeof value === "boolean" ? "bool" : "map[string]interface {}";
}

function readPart(part: unknown): { text?: string; image?: string } {
  const { type, text, refusal, image_url: image, input_audio: audio } = asObject(part);
  if (type === "image_url") return { image: readImageUrl(image) };
  if (type === "input_audio") return { image: readBase64(asObject(audio)["data"]) };
  const words = type === "text" ? asText(text) : type === "refusal" ? asText(refusal) : undefined;
  if (words === undefined) throw new OllamaError(400, "invalid message format");
  return { text: words };
}

/** Ollama treats parts as separate messages and joins adjacent ones of a role by a blank line. */
export function joinParts(parts: readonly { text?: string; image?: string }[]): Content {
  return {
    text: parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n\n"),
    images: parts.flatMap(({ image }) => (image === undefined ? [] : [image])),
  };
}

/** Content may be missing beside calls, even an empty list of them, and beside thoughts. */
function readContent({ content, tool_calls: calls, ...rest }: OpenAiMessage, place: string): Content {
  if (typeof content === "string") return { text: content, images: [] };
  if (Array.isArray(content)) return joinParts(content.map(readPart));
  const isMissing = content === undefined || content === null;
  if (isMissing && (calls !== undefined || thoughtsOf(rest) !== undefined)) return { text: "", images: [] };
  const expected = `${place}.content must be a string or an array of parts`;
  throw new OllamaError(400, `invalid message content type: ${goType(content)} (${expected})`);
}

const thoughtsOf = (message: Pick<OpenAiMessage, "reasoning" | "reasoning_content">) =>
  message.reasoning ?? message.reasoning_content;

/** The object of a call's arguments. @throws OllamaError 400 */
export function readArguments(sent: unknown): JsonObject {
  const members = earlierArguments(sent);
  if (members === undefined) throw new OllamaError(400, "invalid tool call arguments");
  return members;
}

const readCalls = (message: OpenAiMessage): NonNullable<ChatMessage["toolCalls"]> =>
  (message.tool_calls ?? []).map(({ id = "", function: called }) => ({
    id,
    name: called.name ?? "",
    arguments: readArguments(called.arguments),
  }));

/** The role as templates know it. `place`: of its message in the request. @throws OllamaError 400 */
export function readRole(role: string | undefined, place: string): string {
  if (role === undefined || role === "") throw new OllamaError(400, `${place}.role is required`);
  const lower = role.toLowerCase();
  return lower === "developer" ? "system" : lower;
}

/**
 * A tool's result refers to its call by id.
 * @throws OllamaError 400
 */
export function readMessages(messages: readonly OpenAiMessage[]): ChatMessage[] {
  if (messages.length === 0) throw new OllamaError(400, "[] is too short - 'messages'");
  const names = new Map<string, string>();
  return messages.map((message, at) => {
    const place = `messages[${String(at)}]`;
    const role = readRole(message.role, place);
    if (asksSomething(message.function_call))
      throw new FieldRefusal("messages", `${place}.function_call is not supported: use tool_calls`);
    const { text, images } = readContent(message, place);
    const toolCalls = readCalls(message);
    for (const { id, name } of toolCalls) names.set(id, name);
    const { tool_call_id: toolCallId, name } = message;
    return {
      role,
      content: text,
      thinking: thoughtsOf(message),
      ...(images.length > 0 && { images }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(role === "tool" && { toolCallId, toolName: names.get(toolCallId ?? "") ?? name }),
    };
  });
}
