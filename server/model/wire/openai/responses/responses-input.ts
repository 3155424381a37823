/** Converts the `input` of POST /v1/responses to messages of a chat. */
import { isObject } from "../../../../contract/is-object.ts";
import type { ChatMessage } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { FieldRefusal } from "../../field-refusal.ts";
import { asObject, asText, type JsonObject } from "../../json-value.ts";
import { readImageUrl } from "../../read-image.ts";
import { joinParts, readArguments, readRole } from "../request/read-messages.ts";
import { itemId } from "./item-id.ts";
import { nameForModel, type ResponsesTools } from "./responses-tools.ts";

type Draft = { -readonly [Key in keyof ChatMessage]: ChatMessage[Key] };

function readPart(part: unknown): { text?: string; image?: string } {
  const { type, text, refusal, image_url: image } = asObject(part);
  if (type === "input_file") throw new OllamaError(400, "file inputs are not currently supported");
  if (type === "input_image") return { image: readImageUrl(image) };
  const words = type === "refusal" ? asText(refusal) : asText(text);
  if (words === undefined) throw new OllamaError(400, "invalid message format");
  return { text: words };
}

/** Text, or a list of parts. @throws OllamaError 400 */
function readContent(content: unknown): Pick<ChatMessage, "content" | "images"> {
  if (typeof content === "string") return { content };
  if (!Array.isArray(content)) throw new OllamaError(400, "invalid message format");
  const { text, images } = joinParts(content.map(readPart));
  return { content: text, ...(images.length > 0 && { images }) };
}

/** The content of an earlier reasoning item: we write the thoughts into both places. */
function thoughtsOf({ encrypted_content: sealed, summary }: JsonObject): string {
  const parts: unknown[] = Array.isArray(summary) ? summary : [];
  return asText(sealed) ?? parts.map((part) => asText(asObject(part)["text"]) ?? "").join("\n");
}

/** Collects items: adjacent thoughts, text and calls are one turn of the model. */
function createTurns(offered: Pick<ResponsesTools, "origins">) {
  const messages: Draft[] = [];
  const names = new Map<string, string>();
  const assistantTurn = (): Draft => {
    const last = messages.at(-1);
    if (last?.role === "assistant") return last;
    const turn: Draft = { role: "assistant", content: "" };
    messages.push(turn);
    return turn;
  };
  return {
    messages,
    addMessage(item: JsonObject, at: number) {
      const role = readRole(asText(item["role"]), `input[${String(at)}]`);
      const content = readContent(item["content"]);
      const last = messages.at(-1);
      const continues = role === "assistant" && last?.role === role && last.content === "" && !last.toolCalls;
      if (continues) Object.assign(last, content);
      else messages.push({ role, ...content });
    },
    addThoughts(item: JsonObject) {
      const turn = assistantTurn();
      turn.thinking = (turn.thinking ?? "") + thoughtsOf(item);
    },
    addCall(item: JsonObject) {
      const { call_id: callId, arguments: text } = item;
      const name = nameForModel(offered, asText(item["name"]) ?? "", asText(item["namespace"]));
      const call = { id: asText(callId) ?? "", name, arguments: readArguments(text) };
      names.set(call.id, call.name);
      const turn = assistantTurn();
      turn.toolCalls = [...(turn.toolCalls ?? []), call];
    },
    addResult(item: JsonObject) {
      const toolCallId = asText(item["call_id"]);
      messages.push({
        role: "tool",
        toolCallId,
        toolName: names.get(toolCallId ?? ""),
        ...readContent(item["output"]),
      });
    },
  };
}

/** @throws OllamaError 400 that names the item */
function addItem(turns: ReturnType<typeof createTurns>, item: unknown, at: number): void {
  const fields = asObject(item);
  // A role suffices: the short form of a message omits the type.
  const type = fields["type"] ?? (fields["role"] === undefined ? "" : "message");
  if (type === "message") turns.addMessage(fields, at);
  else if (type === "reasoning") turns.addThoughts(fields);
  else if (type === "function_call") turns.addCall(fields);
  else if (type === "function_call_output") turns.addResult(fields);
  else if (type !== "web_search_call") {
    const isOfLeftOut = /^(?:custom_tool|local_shell|mcp)_/.test(asText(type) ?? "");
    const hint = isOfLeftOut ? "; such tools are omitted, so omit their calls and results, too" : "";
    throw new OllamaError(400, `input[${String(at)}]: unknown input item type: ${JSON.stringify(type)}${hint}`);
  }
}

const prefixes: Readonly<Record<string, string>> = {
  reasoning: "rs_",
  function_call: "fc_",
  function_call_output: "fco_",
  web_search_call: "ws_",
};

function withTextInPart(item: JsonObject): JsonObject {
  const { type = "message", role, content } = item;
  if (type !== "message" || role === undefined || typeof content !== "string") return item;
  const part =
    role === "assistant"
      ? { type: "output_text", text: content, annotations: [] }
      : { type: "input_text", text: content };
  return { ...item, type, status: "completed", content: [part] };
}

/** An item as it is kept: with its id, and text in a part of its own. Anything but an object stays as it is. */
function asKept(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { type = "message", id } = item;
  if (asText(id) !== undefined) return withTextInPart(item);
  return withTextInPart({ ...item, id: itemId(prefixes[String(type)] ?? "msg_") });
}

type FindItem = (id: string) => unknown;

/** @throws FieldRefusal */
function readItem(item: unknown, at: number, find: FindItem): unknown {
  const { type = null, role, id } = asObject(item);
  const isReference = type === "item_reference" || (type === null && role === undefined && typeof id === "string");
  if (!isReference) return asKept(item);
  const found = find(String(id));
  if (found !== undefined) return found;
  const message = `input[${String(at)}]: there is no item ${JSON.stringify(id)}; only items of this run's newest responses are stored; items with your own ids need previous_response_id`;
  throw new FieldRefusal("input", message, "item_not_found");
}

/**
 * The items of an input, of which a text is one. A reference becomes the earlier item that it names.
 * @throws OllamaError 400
 */
export function itemsOf(input: unknown, find: FindItem): readonly unknown[] {
  if (typeof input === "string") return [asKept({ role: "user", content: input })];
  if (Array.isArray(input)) return input.map((item, at) => readItem(item, at, find));
  throw new OllamaError(400, "input must be a string or an array of items");
}

/** The items of a conversation; `before`: those of an earlier response. */
export interface ResponsesHistory {
  readonly items: readonly unknown[];
  readonly before: readonly unknown[];
}

/** @throws OllamaError 400 */
export function readItems(
  { items, before }: ResponsesHistory,
  instructions: string | undefined,
  offered: Pick<ResponsesTools, "origins">,
): ChatMessage[] {
  const turns = createTurns(offered);
  if (instructions) turns.messages.push({ role: "system", content: instructions });
  for (const [at, item] of before.entries()) addItem(turns, item, at);
  for (const [at, item] of items.entries()) addItem(turns, item, at);
  if (turns.messages.length === 0) throw new OllamaError(400, "[] is too short - 'input'");
  return turns.messages;
}
