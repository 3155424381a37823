/** Calls that only some engines have: tokens of a text, the count of a chat's, and ranks. Their replies differ little. */
import { z } from "zod";
import { list } from "../../contract/bounded-lists.ts";
import { maybe } from "../../contract/given.ts";
import type { RunnerRanked } from "../../contract/model/runner.ts";
import type { RankRequest } from "../chat-completion.ts";
import type { UpstreamClient } from "./upstream-client.ts";
import { UpstreamError } from "./upstream-error.ts";

const tokensReplySchema = z.object({ tokens: list(z.number().int()) });

/** `text` is Hearth's name of it, `content` llama-server's, `prompt` vLLM's. */
const textReplySchema = z
  .object({ text: maybe(z.string()), content: maybe(z.string()), prompt: maybe(z.string()) })
  .transform(({ text, content, prompt }) => text ?? content ?? prompt)
  .pipe(z.string());

const countReplySchema = z.object({ input_tokens: z.number().int() });

const rankReplySchema = z.object({
  results: list(z.object({ index: z.number().int(), relevance_score: z.number() })),
  prompt_eval_count: maybe(z.number().int()),
  usage: maybe(z.object({ total_tokens: maybe(z.number().int()) })),
});

/** How a server says that it has no such route. One that was started without it says 501, and why. */
const absentStatuses = [404, 405];

/** Whether a refusal means the model, and not the route: engines put names in quotes. */
const namesModel = ({ message }: UpstreamError, model: string) =>
  ["'", '"', "`"].some((quote) => message.includes(quote + model + quote));

/** A request to an upstream. Names the model as the upstream does. */
export interface TextCall {
  readonly client: UpstreamClient;
  readonly path: string;
  readonly body: { readonly model: string; readonly [member: string]: unknown };
}

/** @throws UpstreamError 501 where the upstream has no such route */
async function ask<Schema extends z.ZodType>(
  { client, path, body }: TextCall,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const reply = await client.ask(path, body, signal).catch((error: unknown) => {
    const isAbsent =
      error instanceof UpstreamError && absentStatuses.includes(error.status) && !namesModel(error, body.model);
    throw isAbsent ? client.lacking(path, error) : error;
  });
  const parsed = schema.safeParse(reply);
  if (!parsed.success) throw client.broken(`answers ${path} in a shape that no known engine has`);
  return parsed.data;
}

export const askTokens = async (call: TextCall, signal: AbortSignal): Promise<number[]> =>
  (await ask(call, tokensReplySchema, signal)).tokens;

export const askText = (call: TextCall, signal: AbortSignal): Promise<string> => ask(call, textReplySchema, signal);

export const askCount = async (call: TextCall, signal: AbortSignal): Promise<number> =>
  (await ask(call, countReplySchema, signal)).input_tokens;

/** `call.body` need not have the query and the documents. */
export async function askRanks(
  call: TextCall,
  { query, documents }: RankRequest,
  signal: AbortSignal,
): Promise<RunnerRanked> {
  const body = { ...call.body, query, documents };
  const { results, prompt_eval_count: evaluated, usage } = await ask({ ...call, body }, rankReplySchema, signal);
  const byIndex = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]));
  const scores = documents.map((_, index) => {
    const score = byIndex.get(index);
    if (score === undefined) throw call.client.broken(`answers ${call.path} without a score for each document`);
    return score;
  });
  return { scores, tokens: evaluated ?? usage?.total_tokens ?? 0 };
}
