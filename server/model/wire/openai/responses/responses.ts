/** POST /v1/responses: text and functions. Earlier responses can be gone on from as long as they are kept. */
import { isObject } from "../../../../contract/is-object.ts";
import { openAiResponsesSchema, type OpenAiResponses } from "../../../../contract/model/openai.ts";
import type { AnswerChunk, ChatRequest } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { parseKeepAlive } from "../../../options/go-duration.ts";
import type { CompatDeps } from "../../compat-deps.ts";
import { announceCut } from "../../answer-reply.ts";
import { FieldRefusal, read, refuseUnsupported, type Members } from "../../field-refusal.ts";
import type { Handler } from "../../mount-routes.ts";
import { randomId } from "../../../options/random-id.ts";
import { readRequest } from "../../read-request.ts";
import { sendEvents } from "../../send-events.ts";
import { thinkIfAble } from "../../think-if-able.ts";
import { readTopLogprobs } from "../chat-request.ts";
import { nowSeconds } from "../now-seconds.ts";
import { modelMembers, readOptions } from "../request/read-options.ts";
import { readEffort } from "../request/read-effort.ts";
import { readFormat } from "../request/read-format.ts";
import { createResponseBuilder } from "./response-builder.ts";
import { conversationOf, itemsById, type KeptResponses } from "./kept-responses.ts";
import { itemsOf, readItems, type ResponsesHistory } from "./responses-input.ts";
import { readResponsesToolChoice, readResponsesTools, type ResponsesTools } from "./responses-tools.ts";
import { sendJson } from "../../../../http/conventions/send-json.ts";

const shape = { name: "ResponsesRequest", schema: openAiResponsesSchema, emptyText: "EOF" };

/** OpenAI's default for the temperature alone: top_p is the model's. */
const defaults = { temperature: 1 };

const members: Members<OpenAiResponses> = {
  ...modelMembers,
  ...read("stream", "store", "input", "instructions", "previous_response_id", "tools", "tool_choice", "text"),
  ...read("parallel_tool_calls", "max_output_tokens", "reasoning", "include", "top_logprobs", "temperature", "top_p"),
  background: { hint: "wait for the answer, or stream it" },
  conversation: { hint: "use previous_response_id, or send all items" },
  // A text is the prompt of other routes, which says nothing here.
  prompt: { hint: "stored prompts are not supported; send instructions and input", asks: isObject },
};

/** The items of the earlier response. @throws FieldRefusal */
function itemsBefore(body: OpenAiResponses, kept: KeptResponses): readonly unknown[] {
  const { previous_response_id: id } = body;
  if (id === undefined) return [];
  const found = kept.find(id);
  if (found !== undefined) return conversationOf(found);
  const message = `previous_response_id: there is no response ${JSON.stringify(id)}; the newest are kept, and only in this run`;
  throw new FieldRefusal("previous_response_id", message, "previous_response_not_found");
}

/** Alternatives are not to be had without the tokens. */
const wantsLogprobs = ({ include = [], top_logprobs: top = 0 }: OpenAiResponses) =>
  include.includes("message.output_text.logprobs") || top > 0;

function chatRequestOf(body: OpenAiResponses, offered: ResponsesTools, history: ResponsesHistory): ChatRequest {
  const messages = readItems(history, body.instructions, offered);
  if (body.model === undefined || body.model === "") throw new OllamaError(400, "model is required");
  return {
    model: body.model,
    messages,
    tools: offered.tools,
    toolChoice: readResponsesToolChoice(body.tool_choice, offered),
    severalCalls: body.parallel_tool_calls ?? true,
    options: readOptions(body, body.max_output_tokens, defaults),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    format: readFormat(body.text?.format, "text.format", ({ schema }) => schema),
    think: readEffort(body.reasoning?.effort),
    truncate: true,
    shift: true,
    logprobs: readTopLogprobs(wantsLogprobs(body), body.top_logprobs),
    progress: false,
  };
}

export function responsesRoute({ resolve, log }: CompatDeps, kept: KeptResponses): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    refuseUnsupported(body, members);
    const tools = readResponsesTools(body.tools);
    const before = itemsBefore(body, kept);
    const known = itemsById(before);
    const items = itemsOf(body.input, (id) => known.get(id) ?? kept.findItem(id));
    const request = chatRequestOf(body, tools, { items, before });
    const target = await resolve(request.model);
    const think = await thinkIfAble(target, request.think);
    const head = { id: randomId("resp_"), createdAt: nowSeconds(), model: request.model, body };
    const { render, failed, response } = createResponseBuilder(head, tools);
    const renderAndKeep = (chunk: AnswerChunk) => {
      const events = render(chunk);
      const whole = response();
      // Before the client reads of its end, and asks to go on from it.
      if (whole !== undefined && body.store !== false) kept.keep({ response: whole, input: [...before, ...items] });
      return events;
    };
    const chunks = target.completions.chat(target.model, { ...request, think }, signal);
    if (body.stream === true) {
      await sendEvents(res, { chunks, render: renderAndKeep, failed, log });
      return;
    }
    for await (const chunk of chunks) {
      if (chunk.type === "cut") announceCut(res, log, chunk);
      else renderAndKeep(chunk);
    }
    sendJson(res, 200, response());
  };
}
