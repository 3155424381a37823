/** An answer as server-sent events. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../process/log.ts";
import type { AnswerChunk } from "../chat-completion.ts";
import { announceCut, awaitReader } from "./answer-reply.ts";
import { isCutOff, logFailure, refusalOf } from "./error-handler.ts";

/** One event. `name` becomes the line `event:`; a text is sent unchanged, an object as JSON. */
export interface SentEvent {
  readonly name?: string;
  readonly data: object | string;
}

export interface EventSending {
  readonly chunks: AsyncIterable<AnswerChunk>;
  /** The events for a chunk. Until there is one, a failure still has its own status. */
  readonly render: (chunk: AnswerChunk) => readonly SentEvent[];
  /** The event for a failure after the first event. */
  readonly failed: (status: number, message: string) => SentEvent;
  readonly log: Log;
}

/** The event's bytes on the wire. */
export const eventText = ({ name, data }: SentEvent) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

export async function sendEvents(res: ServerResponse, { chunks, render, failed, log }: EventSending): Promise<void> {
  const write = (events: readonly SentEvent[]) => {
    if (events.length === 0) return;
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    res.write(events.map(eventText).join(""));
  };
  try {
    for await (const chunk of chunks) {
      if (chunk.type === "cut") announceCut(res, log, chunk);
      else write(render(chunk));
      await awaitReader(res);
    }
  } catch (error) {
    if (!res.headersSent || isCutOff(res, error)) throw error;
    logFailure(log, error);
    const { status, text } = refusalOf(error);
    write([failed(status, text ?? "")]);
  }
  res.end();
}
