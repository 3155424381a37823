/** Writes a completion as NDJSON lines or as one object. */
import type { Response } from "express";
import type { CompletionChunk, CompletionFigures } from "../../complete.ts";
import type { Log } from "../../../process/log.ts";
import { logFailure, refusalOf } from "../error-handler.ts";

/** The last chunk without its figures, as the route adds to it. */
export interface Ending {
  readonly figures: CompletionFigures | { readonly done_reason: "load" | "unload" };
  readonly context?: readonly number[] | undefined;
}

/** How one kind of completion looks on the wire: `ending` only on the last object. */
export type Shape = (text: string, ending?: Ending) => object;

export interface Sending {
  readonly stream: boolean;
  readonly chunks: AsyncIterable<CompletionChunk>;
  readonly shape: Shape;
  readonly log: Log;
}

function logCuts(log: Log, chunk: Extract<CompletionChunk, { type: "done" }>): void {
  const { cutTokens, droppedMessages } = chunk;
  if (cutTokens > 0 || droppedMessages > 0)
    log.warn({ cutTokens, droppedMessages }, "the prompt was longer than the context: parts of it were left out");
}

async function sendWhole(res: Response, { chunks, shape, log }: Sending): Promise<void> {
  let text = "";
  for await (const chunk of chunks) {
    if (chunk.type === "text") text += chunk.text;
    else {
      logCuts(log, chunk);
      res.json(shape(text, chunk));
    }
  }
}

/**
 * The header waits for the first chunk, so that a failure before it keeps its status; one after it is a last line. Lines
 * are not held up for a slow reader: the model would be blocked for everybody else, and an answer is small.
 */
async function sendLines(res: Response, { chunks, shape, log }: Sending): Promise<void> {
  const write = (line: object) => {
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/x-ndjson" });
    res.write(`${JSON.stringify(line)}\n`);
  };
  try {
    for await (const chunk of chunks) {
      if (chunk.type === "done") logCuts(log, chunk);
      write(chunk.type === "text" ? shape(chunk.text) : shape("", chunk));
    }
  } catch (error) {
    if (!res.headersSent || res.destroyed) throw error;
    logFailure(log, error);
    write({ error: refusalOf(error).text ?? "" });
  }
  res.end();
}

export const sendCompletion = (res: Response, sending: Sending) =>
  sending.stream ? sendLines(res, sending) : sendWhole(res, sending);
