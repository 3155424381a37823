/** Tells that not all of the prompt reached the model, which none of the APIs has a word for. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../process/log.ts";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";

/** For the last object: tokens of the prompt's middle and old messages that were left out. Nothing when all was there. */
export const cutOf = ({ cutTokens, droppedMessages }: DoneChunk) =>
  cutTokens > 0 || droppedMessages > 0
    ? { context_cut: { cut_tokens: cutTokens, dropped_messages: droppedMessages } }
    : {};

/** A header for clients, and a line in the log. Where lines about the load went before, the last object alone tells. */
export function announceCut(res: ServerResponse, log: Log, cut: Extract<AnswerChunk, { type: "cut" }>): void {
  const { droppedMessages, cutsPrompt } = cut;
  log.warn({ droppedMessages, cutsPrompt }, "the prompt was longer than the context: parts of it were left out");
  if (res.headersSent) return;
  res.setHeader("X-Context-Cut", `dropped_messages=${String(droppedMessages)}; prompt=${cutsPrompt ? "cut" : "whole"}`);
}
