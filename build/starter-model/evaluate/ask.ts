/** Asks the real model service, over HTTP, as any client does. */
import type { Call, Conversation, Json } from "../corpus/chat.ts";

export interface Reply {
  readonly text: string;
  readonly calls: readonly Call[];
  /** From the request to the first piece of the answer, and the pieces per second after it. */
  readonly firstMs: number;
  readonly tokensPerSecond: number;
}

interface Line {
  readonly error?: string;
  readonly message?: { readonly content?: string; readonly tool_calls?: { readonly function: Call }[] };
  readonly eval_count?: number;
  readonly eval_duration?: number;
}

export interface Question {
  readonly conversation: Conversation;
  /** What the service is to keep the answer to. */
  readonly schema?: Json | undefined;
  /** After which the answer is cut off. */
  readonly mostTokens: number;
}
export interface Model {
  /** Of the model service. */
  readonly url: string;
  readonly name: string;
}

function bodyOf(model: string, { conversation, schema, mostTokens }: Question) {
  const { system, tools, messages } = conversation;
  const wired = messages.map(({ role, content, calls }) => ({
    role,
    content,
    ...(calls && { tool_calls: calls.map((call) => ({ function: call })) }),
  }));
  return JSON.stringify({
    model,
    messages: system === undefined ? wired : [{ role: "system", content: system }, ...wired],
    ...(tools && { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(schema !== undefined && { format: schema }),
    options: { temperature: 0, num_predict: mostTokens },
  });
}

/** @throws Error with the service's message when it refuses */
export async function ask({ url, name }: Model, question: Question): Promise<Reply> {
  const began = performance.now();
  const reply = await fetch(`${url}/api/chat`, { method: "POST", body: bodyOf(name, question) });
  if (!reply.ok || reply.body === null) throw new Error(`${reply.status}: ${await reply.text()}`);
  let firstMs: number | undefined;
  let pending = "";
  const lines: Line[] = [];
  const chunks: AsyncIterable<string> = reply.body.pipeThrough(new TextDecoderStream());
  for await (const chunk of chunks) {
    firstMs ??= performance.now() - began;
    pending += chunk;
    const whole = pending.split("\n");
    pending = whole.pop() ?? "";
    lines.push(...whole.map((line) => JSON.parse(line) as Line));
  }
  const failed = lines.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) throw new Error(failed.error);
  const last = lines.at(-1);
  return {
    text: lines.map(({ message }) => message?.content ?? "").join(""),
    // Ollama's calls have a number, too.
    calls: lines
      .flatMap(({ message }) => message?.tool_calls ?? [])
      .map(({ function: { name, arguments: given } }) => ({ name, arguments: given })),
    firstMs: firstMs ?? 0,
    tokensPerSecond: ((last?.eval_count ?? 0) / (last?.eval_duration ?? 1)) * 1e9,
  };
}

/** The vectors of some texts. */
export async function embed({ url, name }: Model, input: readonly string[]): Promise<number[][]> {
  const reply = await fetch(`${url}/api/embed`, { method: "POST", body: JSON.stringify({ model: name, input }) });
  if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { embeddings: number[][] }).embeddings;
}
