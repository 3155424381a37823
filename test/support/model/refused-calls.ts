/** Calls that the contract wants refused alike, whichever route they come by. */
import type { ModelService, Wire } from "./model-service.ts";

const chat = { model: "tiny", messages: [{ role: "user", content: "hi" }] };
const generate = { model: "tiny", prompt: "hi" };

/** The routes that OpenAI and Anthropic have in place of chat, whose messages are Ollama's. */
export const alike = ["/v1/chat/completions", "/v1/messages"];
export type Call = readonly [path: string, body: object];

/** One chat by several routes. */
export const chats = (rest: object, paths = ["/api/chat", ...alike]): Call[] =>
  paths.map((path) => [path, { ...chat, max_tokens: 9, ...rest }]);

/** A chat and a completion by Ollama's own routes. */
export const both = (rest: object): Call[] => [
  ["/api/chat", { ...chat, ...rest }],
  ["/api/generate", { ...generate, ...rest }],
];

/** The text of a refusal, in whichever family's shape. */
export const errorText = (body: Wire): string => body.error.message ?? body.error;

/** Path, status and text of each call's refusal. */
export async function refusals(service: ModelService, calls: readonly Call[]): Promise<[string, number, string][]> {
  const all: [string, number, string][] = [];
  for (const [path, body] of calls) {
    const reply = await service.post(path, body, { method: path === "/api/delete" ? "DELETE" : "POST" });
    all.push([path, reply.status, errorText(await reply.json())]);
  }
  return all;
}
