/** POST /v1/chat/completions */
import { openAiChatSchema, openAiMessageSchema } from "../../../contract/model/openai.ts";
import { collectAnswer } from "../collect-answer.ts";
import type { CompatDeps } from "../compat-deps.ts";
import { announceCut } from "../answer-reply.ts";
import type { Handler } from "../mount-routes.ts";
import { randomId } from "../../options/random-id.ts";
import { readRequest } from "../read-request.ts";
import { sendEvents } from "../send-events.ts";
import { thinkIfAble } from "../think-if-able.ts";
import { chatRequestOfOpenAi } from "./chat-request.ts";
import { chatChunks, chatCompletion } from "./chat-shapes.ts";
import { nowSeconds } from "./now-seconds.ts";
import { failedChunk } from "./openai-errors.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const shape = {
  name: "ChatCompletionRequest",
  schema: openAiChatSchema,
  items: { messages: Object.keys(openAiMessageSchema.shape) },
  emptyText: "EOF",
};

export function chatCompletionsRoute({ resolve, log }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const request = chatRequestOfOpenAi(body);
    const target = await resolve(request.model);
    const think = await thinkIfAble(target, request.think);
    const chunks = target.completions.chat(target.model, { ...request, think }, signal);
    const head = { id: randomId("chatcmpl-"), created: nowSeconds(), model: request.model };
    if (body.stream === true) {
      const render = chatChunks(head, body.stream_options?.include_usage === true);
      await sendEvents(res, { chunks, render, failed: failedChunk, log });
    } else sendJson(res, 200, chatCompletion(head, await collectAnswer(chunks, (cut) => announceCut(res, log, cut))));
  };
}
