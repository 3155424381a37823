/** Replies of an upstream with OpenAI's API. Engines differ, so nearly everything is optional; unknown members are ignored. */
import { z } from "zod";
import { list } from "../../contract/bounded-lists.ts";
import { maybe } from "../../contract/given.ts";

const figure = maybe(z.number());
const text = maybe(z.string());
const likelihood = { token: z.string(), logprob: z.number(), bytes: maybe(list(z.number())) };

export const callPartSchema = z.object({
  index: figure,
  id: text,
  function: maybe(z.object({ name: text, arguments: text })),
});
export type CallPart = z.output<typeof callPartSchema>;

/** A chunk of a chat (`delta`) or of a plain completion (`text`). Engines have two names for thoughts. */
export const chunkSchema = z.object({
  error: z.unknown().optional(),
  choices: maybe(
    list(
      z.object({
        delta: maybe(
          z.object({
            content: text,
            reasoning: text,
            reasoning_content: text,
            tool_calls: maybe(list(callPartSchema)),
          }),
        ),
        text,
        finish_reason: text,
        /** vLLM's: the stop string. */
        stop_reason: z.unknown().optional(),
        logprobs: maybe(
          z.object({
            content: maybe(list(z.object({ ...likelihood, top_logprobs: maybe(list(z.object(likelihood))) }))),
          }),
        ),
      }),
    ),
  ),
  usage: maybe(
    z.object({
      prompt_tokens: figure,
      completion_tokens: figure,
      prompt_tokens_details: maybe(z.object({ cached_tokens: figure })),
      completion_tokens_details: maybe(z.object({ reasoning_tokens: figure })),
    }),
  ),
});
export type OpenAiChunk = z.output<typeof chunkSchema>;

/** GET /v1/models, with the windows as vLLM and llama-server tell them. */
export const modelsReplySchema = z.object({
  data: list(
    z.object({
      id: z.string(),
      created: figure,
      max_model_len: figure,
      meta: maybe(z.object({ n_ctx_train: figure, size: figure })),
    }),
  ),
});

export const embeddingsReplySchema = z.object({
  data: list(z.object({ index: figure, embedding: list(z.number()) })),
  usage: maybe(z.object({ prompt_tokens: figure })),
});
