/** Reports that a part of the prompt was left out. None of the APIs has a field for that. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../process/log.ts";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";

/**
 * For the last object: omitted tokens of the prompt's middle and omitted old messages. Empty when the prompt was
 * complete.
 */
export const cutOf = ({ cutTokens, droppedMessages }: DoneChunk) =>
  cutTokens > 0 || droppedMessages > 0
    ? { context_cut: { cut_tokens: cutTokens, dropped_messages: droppedMessages } }
    : {};

/** Sets a header and logs a line. After progress lines were sent, only the last object reports it. */
export function announceCut(res: ServerResponse, log: Log, cut: Extract<AnswerChunk, { type: "cut" }>): void {
  const { droppedMessages, cutsPrompt } = cut;
  log.warn({ droppedMessages, cutsPrompt }, "the prompt was longer than the context: parts of it were left out");
  if (res.headersSent) return;
  res.setHeader("X-Context-Cut", `dropped_messages=${String(droppedMessages)}; prompt=${cutsPrompt ? "cut" : "whole"}`);
}
