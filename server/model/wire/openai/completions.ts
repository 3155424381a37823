/** POST /v1/completions */
import { openAiCompletionSchema, type OpenAiCompletion } from "../../../contract/model/openai.ts";
import type { AnswerChunk, PromptRequest, ModelTarget } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import { collectAnswer, type CollectedAnswer } from "../collect-answer.ts";
import type { CompatDeps } from "../compat-deps.ts";
import { announceCut } from "../answer-reply.ts";
import { FieldRefusal, read, refuseUnsupported, type Members } from "../field-refusal.ts";
import type { Handler } from "../mount-routes.ts";
import { randomId } from "../../options/random-id.ts";
import { readRequest } from "../read-request.ts";
import { eventText, sendEvents } from "../send-events.ts";
import { completionMembers, openAiDefaults, readTopLogprobs } from "./chat-request.ts";
import { doneEvent } from "./chat-shapes.ts";
import { completionChunks, loadedCompletion, textCompletion } from "./completion-shapes.ts";
import { nowSeconds } from "./now-seconds.ts";
import { failedChunk } from "./openai-errors.ts";
import { readOptions } from "./request/read-options.ts";
import { sendJson, sendText } from "../../../http/conventions/send-json.ts";

const shape = { name: "CompletionRequest", schema: openAiCompletionSchema, emptyText: "EOF" };

const members: Members<OpenAiCompletion> = {
  ...completionMembers,
  ...read("prompt", "best_of", "echo", "suffix"),
};

/** The most answers to one request. */
const mostAnswers = 128;

/** The prompts, of which one text is one. @throws FieldRefusal */
function readPrompts(prompt: unknown): string[] {
  const prompts: unknown[] = Array.isArray(prompt) ? prompt : [prompt ?? ""];
  if (prompts.length > 0 && prompts.every((one) => typeof one === "string")) return prompts;
  throw new FieldRefusal("prompt", "prompt must be one or more texts: tokens are not supported");
}

/** How many answers each prompt is to get. @throws FieldRefusal */
function readCount({ n = 1, best_of: bestOf = n, echo, logprobs, suffix }: OpenAiCompletion, prompts: number): number {
  if (prompts > mostAnswers) throw new FieldRefusal("prompt", `prompt must be ${String(mostAnswers)} texts at most`);
  if (n < 1 || n * prompts > mostAnswers)
    throw new FieldRefusal("n", `n must be at least 1, and with all prompts ${String(mostAnswers)} answers at most`);
  if (bestOf !== n) throw new FieldRefusal("best_of", "best_of must equal n: answers are not compared");
  if (echo === true && logprobs !== undefined)
    throw new FieldRefusal("echo", "echo cannot be combined with logprobs: prompt tokens have none");
  if (echo === true && suffix) throw new FieldRefusal("echo", "echo cannot be combined with suffix");
  return n;
}

/** Thoughts have no place in this answer, so the model is asked for none. */
function promptRequestOf(body: OpenAiCompletion, prompt: string): PromptRequest {
  if (body.model === undefined || body.model === "") throw new OllamaError(404, "model '' not found");
  const { top_p: topP } = body;
  return {
    model: body.model,
    prompt,
    suffix: body.suffix === "" ? undefined : body.suffix,
    options: readOptions({ ...body, top_p: topP === 0 ? undefined : topP }, body.max_tokens, openAiDefaults),
    keepAliveMs: parseKeepAlive(body.keep_alive),
    system: undefined,
    template: undefined,
    raw: false,
    context: [],
    images: [],
    withContext: false,
    format: undefined,
    think: false,
    choosesThink: true,
    truncate: true,
    shift: true,
    logprobs: readTopLogprobs(body.logprobs !== undefined, body.logprobs, "logprobs"),
    progress: false,
  };
}

/** A request for each answer; those to the same prompt differ by their seed, where there is one. */
function requestsOf(body: OpenAiCompletion) {
  const prompts = readPrompts(body.prompt);
  const count = readCount(body, prompts.length);
  const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number;
  /** Far enough below the largest one that all differ. */
  const seed = body.seed === undefined ? undefined : Math.max(least, Math.min(body.seed, most - count + 1));
  const requests = prompts.flatMap((prompt) =>
    Array.from({ length: count }, (_, at) =>
      promptRequestOf(seed === undefined ? body : { ...body, seed: seed + at }, prompt),
    ),
  );
  return { requests: requests as [PromptRequest, ...PromptRequest[]], perPrompt: count };
}

/** One answer after another. */
async function* answersTo(
  requests: readonly PromptRequest[],
  { model, completions }: ModelTarget,
  signal: AbortSignal,
): AsyncGenerator<AnswerChunk> {
  for (const request of requests) yield* completions.generate(model, request, signal);
}

export function completionsRoute({ resolve, log }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    refuseUnsupported(body, members);
    const { requests, perPrompt } = requestsOf(body);
    const [request] = requests;
    const target = await resolve(request.model);
    const { model, completions } = target;
    const head = { id: randomId("cmpl-"), created: nowSeconds(), model: request.model };
    const isStream = body.stream === true;
    if (requests.length === 1 && request.prompt === "") {
      const load = completions.load(model, request, signal)[Symbol.asyncIterator]();
      while ((await load.next()).done !== true);
      const loaded = loadedCompletion(head);
      const events = [{ data: loaded }, doneEvent].map(eventText).join("");
      if (isStream) sendText(res, 200, "text/event-stream; charset=utf-8", events);
      else sendJson(res, 200, loaded);
      return;
    }
    const heads = requests.map(({ prompt }) => (body.echo === true ? prompt : ""));
    if (isStream) {
      const render = completionChunks(head, { heads, perPrompt }, body.stream_options?.include_usage === true);
      await sendEvents(res, { chunks: answersTo(requests, target, signal), render, failed: failedChunk, log });
      return;
    }
    const answers: CollectedAnswer[] = [];
    for (const one of requests)
      answers.push(await collectAnswer(completions.generate(model, one, signal), (cut) => announceCut(res, log, cut)));
    sendJson(res, 200, textCompletion(head, answers, { heads, perPrompt }));
  };
}
