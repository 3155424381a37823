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

const emptyTurn = (): Turn => ({ texts: [], images: [], thoughts: [], calls: [], results: [] });

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

/** Only the server that made it can read it. */
const withoutSealed = (key: string, value: unknown) => (key === "encrypted_content" ? undefined : value);

/** The result of a tool that the server ran, such as a search: text, or JSON for the model to read. */
function readServerResult(
  { tool_use_id: id, content = "" }: JsonObject,
  names: ReadonlyMap<string, string>,
): ChatMessage {
  const toolCallId = asText(id);
  const text = asText(content) ?? JSON.stringify(content, withoutSealed);
  return { role: "tool", content: text, toolCallId, toolName: names.get(toolCallId ?? "") };
}

/** The parts of a message: behind the results of its own calls the assistant's goes on in a turn of its own. */
function openTurns(role: string) {
  let last = emptyTurn();
  const turns = [last];
  const addResult = (result: ChatMessage) => last.results.push(result);
  const open = (): Turn => {
    if (role !== "assistant" || last.results.length === 0) return last;
    last = emptyTurn();
    turns.push(last);
    return last;
  };
  return { turns, open, addResult };
}

function addBlock(
  { open, addResult }: Omit<ReturnType<typeof openTurns>, "turns">,
  block: JsonObject,
  names: Map<string, string>,
): void {
  const { type, text, thinking } = block;
  if (type === "text") open().texts.push(asText(text) ?? "");
  else if (type === "image") open().images.push(readImage(block));
  else if (type === "thinking") open().thoughts.push(asText(thinking) ?? "");
  else if (type === "tool_use" || type === "server_tool_use") {
    const call = readCall(block);
    names.set(call.id, call.name);
    open().calls.push(call);
  } else if (type === "tool_result") addResult(readResult(block, names));
  else if (asText(type)?.endsWith("_tool_result") === true) addResult(readServerResult(block, names));
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
  return role === "assistant" ? [message, ...results] : [...results, message];
}

/**
 * Results come before the rest of the user's turn, and behind their calls in the assistant's. Blocks of unknown types
 * are skipped. @throws OllamaError 400
 */
export function readTurns(messages: readonly AnthropicMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role: sentRole, content }, at) => {
    const place = `messages[${String(at)}]`;
    if (sentRole === undefined || sentRole === "") throw new OllamaError(400, `${place}.role is required`);
    const role = sentRole.toLowerCase();
    const { turns, ...parts } = openTurns(role);
    for (const block of blocksOf(content, `${place}.content`)) addBlock(parts, block, names);
    return turns.flatMap((turn) => turnMessages(role, turn));
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
