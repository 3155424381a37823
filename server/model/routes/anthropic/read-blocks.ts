/** Reads messages of Anthropic's format, whose content is text or blocks. */
import type { AnthropicMessage } from "../../../contract/model/anthropic.ts";
import type { ChatMessage, ToolCall } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { asObject, asText, type JsonObject } from "../json-value.ts";

/** The contents of the blocks of one turn. */
interface Turn {
  readonly texts: string[];
  readonly images: string[];
  readonly thoughts: string[];
  readonly calls: Pick<ToolCall, "id" | "name" | "arguments">[];
  readonly results: ChatMessage[];
}

const blocksOf = (content: unknown, at: string): JsonObject[] => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw new OllamaError(400, `${at} must be a string or an array of content blocks`);
  return content.map(asObject);
};

function readImage({ source }: JsonObject): string {
  const { type, data } = asObject(source);
  if (type !== "base64" || typeof data !== "string")
    throw new OllamaError(400, `invalid image source type: ${String(type)}. Only base64 images are supported.`);
  return data;
}

function readCall({ id, name, input }: JsonObject): Turn["calls"][number] {
  if (typeof id !== "string" || id === "") throw new OllamaError(400, "tool_use block missing required 'id' field");
  return { id, name: asText(name) ?? "", arguments: asObject(input) };
}

/** Text and images of a tool's result, which may be text, blocks, or missing. */
function readResult(block: JsonObject, names: ReadonlyMap<string, string>): ChatMessage {
  const toolCallId = asText(block["tool_use_id"]);
  const blocks = blocksOf(block["content"] ?? "", "tool_result.content");
  const images = blocks.filter(({ type }) => type === "image").map(readImage);
  return {
    role: "tool",
    content: blocks.flatMap(({ type, text }) => (type === "text" ? [asText(text) ?? ""] : [])).join("\n\n"),
    toolCallId,
    toolName: names.get(toolCallId ?? ""),
    ...(images.length > 0 && { images }),
  };
}

function addBlock(turn: Turn, block: JsonObject, names: Map<string, string>): void {
  const { type, text, thinking, content, tool_use_id: callId } = block;
  if (type === "text") turn.texts.push(asText(text) ?? "");
  else if (type === "image") turn.images.push(readImage(block));
  else if (type === "thinking") turn.thoughts.push(asText(thinking) ?? "");
  else if (type === "tool_use" || type === "server_tool_use") {
    const call = readCall(block);
    names.set(call.id, call.name);
    turn.calls.push(call);
  } else if (type === "tool_result") turn.results.push(readResult(block, names));
  else if (type === "web_search_tool_result")
    turn.results.push({ role: "tool", content: JSON.stringify(content), toolCallId: asText(callId) });
}

function turnMessages(role: string, { texts, images, thoughts, calls, results }: Turn): ChatMessage[] {
  const isEmpty = texts.length === 0 && images.length === 0 && thoughts.length === 0 && calls.length === 0;
  if (isEmpty && results.length > 0) return results;
  const message: ChatMessage = {
    role,
    content: texts.join("\n\n"),
    ...(thoughts.length > 0 && { thinking: thoughts.join("\n\n") }),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { toolCalls: calls }),
  };
  return [...results, message];
}

/** Results of tools come before the rest of their turn. Blocks of unknown types are skipped. @throws OllamaError 400 */
export function readTurns(messages: readonly AnthropicMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }, at) => {
    const place = `messages[${String(at)}]`;
    if (role === undefined || role === "") throw new OllamaError(400, `${place}.role is required`);
    const turn: Turn = { texts: [], images: [], thoughts: [], calls: [], results: [] };
    for (const block of blocksOf(content, `${place}.content`)) addBlock(turn, block, names);
    return turnMessages(role.toLowerCase(), turn);
  });
}

/** The system message, given as text or as blocks of text; none if it is empty. @throws OllamaError 400 */
export function readSystem(system: unknown): ChatMessage[] {
  if (system === undefined || system === null) return [];
  const text = blocksOf(system, "system")
    .map((block) => asText(block["text"]) ?? "")
    .join("\n\n");
  return text === "" ? [] : [{ role: "system", content: text }];
}
