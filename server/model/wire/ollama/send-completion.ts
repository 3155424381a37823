/** Writes a completion as NDJSON lines or as one object. */
import type { ServerResponse } from "node:http";
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import type { OllamaCall, OllamaLogprob } from "../../../contract/model/ollama.ts";
import type { AnswerChunk, CompletionFigures, ToolCall } from "../../chat-completion.ts";
import type { Log } from "../../../process/log.ts";
import { announceCut, awaitReader, cutOf } from "../answer-reply.ts";
import { isCutOff, logFailure, refusalOf } from "../error-handler.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

/** The last chunk without its text, for the route's own members. */
export interface CompletionEnding {
  readonly figures: CompletionFigures | { readonly done_reason: "load" | "unload" };
  readonly context?: readonly number[] | undefined;
}

/** The content of one object. */
export interface WireDelta {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly logprobs?: OllamaLogprob[];
  readonly load_progress?: number;
  readonly prompt_progress?: { readonly completed: number; readonly total: number };
  readonly suggestions?: readonly string[];
  readonly context_cut?: { readonly cut_tokens: number; readonly dropped_messages: number };
}
export const emptyDelta: WireDelta = { text: "", thinking: "", calls: [] };

/** The wire format of a kind of completion; `ending` is only on the last object. */
export type Shape = (delta: WireDelta, ending?: CompletionEnding) => object;

export interface Sending {
  readonly stream: boolean;
  readonly chunks: AsyncIterable<AnswerChunk>;
  readonly shape: Shape;
  readonly log: Log;
}

export const wireCall = ({ id, index, name, arguments: given }: ToolCall): OllamaCall => ({
  id,
  function: { index, name, arguments: { ...given } },
});

const wireLogprobs = (logprobs: readonly TokenLogprob[] = []): Pick<WireDelta, "logprobs"> =>
  logprobs.length === 0
    ? {}
    : { logprobs: logprobs.map(({ top, ...one }) => ({ ...one, ...(top.length > 0 && { top_logprobs: top }) })) };

type DeltaChunk = Exclude<AnswerChunk, { type: "done" | "cut" }>;

function toDelta(chunk: DeltaChunk): WireDelta {
  switch (chunk.type) {
    case "content":
      return {
        ...emptyDelta,
        text: chunk.text,
        ...wireLogprobs(chunk.logprobs),
        ...(chunk.suggestions && { suggestions: chunk.suggestions }),
      };
    case "thinking":
      return { ...emptyDelta, thinking: chunk.text, ...wireLogprobs(chunk.logprobs) };
    case "tool_call":
      return { ...emptyDelta, calls: [chunk.call], ...wireLogprobs(chunk.logprobs) };
    case "cut_call":
      // This API cannot represent half of an object.
      return { ...emptyDelta, ...wireLogprobs(chunk.logprobs) };
    case "loading":
      return { ...emptyDelta, load_progress: chunk.fraction };
    case "progress":
      return { ...emptyDelta, prompt_progress: { completed: chunk.completed, total: chunk.total } };
  }
}

const joined = (a: WireDelta, b: WireDelta): WireDelta => ({
  text: a.text + b.text,
  thinking: a.thinking + b.thinking,
  calls: [...a.calls, ...b.calls],
  ...((a.suggestions ?? b.suggestions) && { suggestions: a.suggestions ?? b.suggestions ?? [] }),
  ...((a.logprobs ?? b.logprobs) && { logprobs: [...(a.logprobs ?? []), ...(b.logprobs ?? [])] }),
});

async function sendWhole(res: ServerResponse, { chunks, shape, log }: Sending): Promise<void> {
  let whole = emptyDelta;
  for await (const chunk of chunks) {
    if (chunk.type === "cut") announceCut(res, log, chunk);
    else if (chunk.type === "done") sendJson(res, 200, shape({ ...whole, ...cutOf(chunk) }, chunk));
    else whole = joined(whole, toDelta(chunk));
  }
}

/**
 * The header is delayed until the first chunk, so that an earlier failure keeps its status. A later one is sent as the
 * last line.
 */
async function sendLines(res: ServerResponse, { chunks, shape, log }: Sending): Promise<void> {
  const write = (line: object) => {
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/x-ndjson" });
    res.write(`${JSON.stringify(line)}\n`);
  };
  try {
    for await (const chunk of chunks) {
      if (chunk.type === "cut") announceCut(res, log, chunk);
      else if (chunk.type === "done") write(shape({ ...emptyDelta, ...cutOf(chunk) }, chunk));
      else write(shape(toDelta(chunk)));
      await awaitReader(res);
    }
  } catch (error) {
    if (!res.headersSent || isCutOff(res, error)) throw error;
    logFailure(log, error);
    write({ error: refusalOf(error).text });
  }
  res.end();
}

export const sendCompletion = (res: ServerResponse, sending: Sending) =>
  sending.stream ? sendLines(res, sending) : sendWhole(res, sending);

/** The reply with the prompt in place of an answer. It has no images, because no model here accepts them. */
export const renderedReply = (shape: Shape, prompt: string) => ({
  ...shape(emptyDelta),
  done: true,
  _debug_info: { rendered_template: prompt, image_count: 0 },
});
