/** POST /v1/responses: stateless, text and functions. */
import { openAiResponsesSchema, type OpenAiResponses } from "../../../../contract/model/openai.ts";
import type { ChatRequest } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { parseKeepAlive } from "../../../options/go-duration.ts";
import type { CompatDeps } from "../../compat-deps.ts";
import { announceCut } from "../../context-cut.ts";
import type { Handler } from "../../mount-routes.ts";
import { randomId } from "../../random-id.ts";
import { readRequest } from "../../read-request.ts";
import { sendEvents } from "../../send-events.ts";
import { thinkIfAble } from "../../think-if-able.ts";
import { nowSeconds } from "../now-seconds.ts";
import { optionsOf } from "../request/options-of.ts";
import { readEffort } from "../request/read-effort.ts";
import { readFormat } from "../request/read-format.ts";
import { readToolChoice } from "../request/read-tools.ts";
import { createResponseBuilder } from "./response-builder.ts";
import { readInput } from "./responses-input.ts";
import { readResponsesTools, type ResponsesTools } from "./responses-tools.ts";
import { sendJson } from "../../../../http/conventions/send-json.ts";

const shape = { name: "ResponsesRequest", schema: openAiResponsesSchema, emptyText: "EOF" };

/** Of OpenAI's defaults only the temperature applies here; top_p is the model's. */
const defaults = { temperature: 1 };

function chatRequestOf(body: OpenAiResponses, { tools }: ResponsesTools): ChatRequest {
  const messages = readInput(body.input, body.instructions);
  if (body.model === undefined || body.model === "") throw new OllamaError(400, "model is required");
  return {
    model: body.model,
    messages,
    tools,
    toolChoice: readToolChoice(body.tool_choice),
    options: optionsOf(body, body.max_output_tokens, defaults),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    format: readFormat(body.text?.format, "text.format", ({ schema }) => schema),
    think: readEffort(body.reasoning?.effort),
    truncate: true,
    shift: true,
    logprobs: undefined,
    progress: false,
  };
}

export function responsesRoute({ completions, log }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const tools = readResponsesTools(body.tools);
    const request = chatRequestOf(body, tools);
    const think = await thinkIfAble(completions, request.model, request.think);
    const head = { id: randomId("resp_"), createdAt: nowSeconds(), model: request.model, body };
    const { render, failed, response } = createResponseBuilder(head, tools.namespaces);
    const chunks = completions.chat({ ...request, think }, signal);
    if (body.stream === true) {
      await sendEvents(res, { chunks, render, failed, log });
      return;
    }
    for await (const chunk of chunks) {
      if (chunk.type === "cut") announceCut(res, log, chunk);
      else render(chunk);
    }
    sendJson(res, 200, response());
  };
}
