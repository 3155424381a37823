/** The parts that replies with an answer share, in every API: the pace of the reader, and the report of a cut prompt. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Log } from "../../process/log.ts";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";

/** An ordinary answer fits: only a reader that is far behind blocks a sequence of the model. */
const mostWaitingBytes = 1024 * 1024;

/**
 * Resolves when the reader's backlog is small enough, or the reader is gone. Writers of streams await it after each
 * piece: a slow reader then pauses its own generation, and no other.
 */
export async function awaitReader(res: ServerResponse): Promise<void> {
  if (res.writableLength <= mostWaitingBytes || res.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(res, "drain", { signal }), once(res, "close", { signal })]);
  } finally {
    over.abort();
  }
}

/**
 * The member of the last object for omitted tokens of the prompt's middle and omitted old messages, which is our own. Empty
 * when the prompt was complete.
 */
export const cutOf = ({ cutTokens, droppedMessages }: DoneChunk) =>
  cutTokens > 0 || droppedMessages > 0
    ? { context_cut: { cut_tokens: cutTokens, dropped_messages: droppedMessages } }
    : {};

/** Sets a header and logs a line. After progress lines were sent, only the last object reports it. */
export function announceCut(res: ServerResponse, log: Log, cut: Extract<AnswerChunk, { type: "cut" }>): void {
  const { droppedMessages, cutsPrompt } = cut;
  log.warn({ droppedMessages, cutsPrompt }, "the prompt was longer than the context: the beginning was omitted");
  if (res.headersSent) return;
  res.setHeader("X-Context-Cut", `dropped_messages=${String(droppedMessages)}; prompt=${cutsPrompt ? "cut" : "whole"}`);
}
