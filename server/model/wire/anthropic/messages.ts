/** POST /v1/messages and POST /v1/messages/count_tokens */
import { anthropicMessageSchema, anthropicRequestSchema } from "../../../contract/model/anthropic.ts";
import type { ChatRequest } from "../../chat-completion.ts";
import type { CompatDeps } from "../compat-deps.ts";
import { announceCut } from "../answer-reply.ts";
import type { Handler, ModelRouteTable } from "../mount-routes.ts";
import { randomId } from "../../options/random-id.ts";
import { readRequest } from "../read-request.ts";
import { sendEvents } from "../send-events.ts";
import { thinkIfAble } from "../think-if-able.ts";
import { failedMessage, withAnthropicErrors } from "./anthropic-errors.ts";
import { createMessageBuilder } from "./message-builder.ts";
import { chatRequestOfAnthropic } from "./messages-request.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const shape = {
  name: "MessagesRequest",
  schema: anthropicRequestSchema,
  items: { messages: Object.keys(anthropicMessageSchema.shape) },
  emptyText: "EOF",
};

/** A token has about four letters. */
const estimateTokens = ({ messages, tools }: ChatRequest) =>
  Math.ceil((messages.reduce((sum, { content }) => sum + content.length, 0) + JSON.stringify(tools).length) / 4);

function messagesRoute({ resolve, log }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const request = chatRequestOfAnthropic(body);
    const target = await resolve(request.model);
    const think = await thinkIfAble(target, request.think);
    const { render, message } = createMessageBuilder({
      id: randomId("msg_"),
      model: request.model,
      estimatedTokens: estimateTokens(request),
      stopSequences: body.stop_sequences ?? [],
    });
    const chunks = target.completions.chat(target.model, { ...request, think }, signal);
    if (body.stream === true) {
      await sendEvents(res, { chunks, render, failed: failedMessage, log });
      return;
    }
    for await (const chunk of chunks) {
      if (chunk.type === "cut") announceCut(res, log, chunk);
      else render(chunk);
    }
    sendJson(res, 200, message());
  };
}

/** Counts what the same request would give to the model, by the model's own tokens. */
function countTokensRoute({ resolve }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const request = chatRequestOfAnthropic(await readRequest(req, shape), true);
    const target = await resolve(request.model);
    const think = await thinkIfAble(target, request.think);
    const tokens = await target.completions.countTokens(target.model, { ...request, think }, signal);
    sendJson(res, 200, { input_tokens: tokens });
  };
}

/** The routes of Anthropic's API. */
export const anthropicRoutes = (deps: CompatDeps): ModelRouteTable => ({
  "/v1/messages": { POST: withAnthropicErrors(deps.log, messagesRoute(deps)) },
  "/v1/messages/count_tokens": { POST: withAnthropicErrors(deps.log, countTokensRoute(deps)) },
});
