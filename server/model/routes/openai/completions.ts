/** POST /v1/completions */
import { openAiCompletionSchema, type OpenAiCompletion } from "../../../contract/model/openai.ts";
import type { PromptRequest } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { collectAnswer } from "../collect-answer.ts";
import type { CompatDeps } from "../compat-deps.ts";
import { announceCut } from "../context-cut.ts";
import type { Handler } from "../mount-routes.ts";
import { randomId } from "../random-id.ts";
import { readRequest } from "../read-request.ts";
import { eventText, sendEvents } from "../send-events.ts";
import { openAiDefaults, readTopLogprobs } from "./chat-request.ts";
import { doneEvent } from "./chat-shapes.ts";
import { completionChunks, loadedCompletion, textCompletion } from "./completion-shapes.ts";
import { nowSeconds } from "./now-seconds.ts";
import { failedChunk } from "./openai-errors.ts";
import { optionsOf } from "./request/options-of.ts";
import { sendJson, sendText } from "../../../http/conventions/send-json.ts";

const shape = { name: "CompletionRequest", schema: openAiCompletionSchema, emptyText: "EOF" };

/** This answer has no field for thoughts, so the model is asked for none. */
function promptRequestOf(body: OpenAiCompletion): PromptRequest {
  if (body.model === undefined || body.model === "") throw new OllamaError(404, "model '' not found");
  const { top_p: topP } = body;
  return {
    model: body.model,
    prompt: body.prompt ?? "",
    suffix: body.suffix === "" ? undefined : body.suffix,
    options: optionsOf({ ...body, top_p: topP === 0 ? undefined : topP }, body.max_tokens, openAiDefaults),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    system: undefined,
    template: undefined,
    raw: false,
    context: [],
    images: [],
    withContext: false,
    format: undefined,
    think: false,
    truncate: true,
    shift: true,
    logprobs: readTopLogprobs(body.logprobs !== undefined, body.logprobs),
    progress: false,
  };
}

export function completionsRoute({ completions, log }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const request = promptRequestOf(body);
    const head = { id: randomId("cmpl-"), created: nowSeconds(), model: request.model };
    const isStream = body.stream === true;
    if (request.prompt === "") {
      const load = completions.load(request, signal)[Symbol.asyncIterator]();
      while ((await load.next()).done !== true);
      const loaded = loadedCompletion(head);
      const events = [{ data: loaded }, doneEvent].map(eventText).join("");
      if (isStream) sendText(res, 200, "text/event-stream; charset=utf-8", events);
      else sendJson(res, 200, loaded);
      return;
    }
    const chunks = completions.generate(request, signal);
    if (isStream) {
      const render = completionChunks(head, body.stream_options?.include_usage === true);
      await sendEvents(res, { chunks, render, failed: failedChunk, log });
    } else sendJson(res, 200, textCompletion(head, await collectAnswer(chunks, (cut) => announceCut(res, log, cut))));
  };
}
