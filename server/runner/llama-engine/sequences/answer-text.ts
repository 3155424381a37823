/** The growing text of a generation: whole characters, without any part of a stop string. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { RunnerGenerate, RunnerGenerateLine, TokenLogprob } from "../../../contract/model/runner.ts";
import { createStopText } from "./stop-text.ts";
import { createTokenText } from "./token-text.ts";

export interface AnswerTextOptions {
  readonly request: Pick<RunnerGenerate, "control_text" | "stop">;
  /** What precedes the answer. */
  readonly before: readonly Token[];
  readonly write: (line: RunnerGenerateLine) => void;
}

export function createAnswerText(model: LlamaModel, { request, before, write }: AnswerTextOptions) {
  const text = createTokenText<Token>(
    (some, previous) => model.detokenize(some, request.control_text === true, previous),
    before,
  );
  const stopText = createStopText(request.stop);
  let logprobs: TokenLogprob[] = [];
  const say = (piece: string) => {
    if (piece === "" && logprobs.length === 0) return;
    write({ type: "text", text: piece, ...(logprobs.length > 0 && { logprobs }) });
    logprobs = [];
  };
  return {
    /** Returns the stop string that is complete, if any. */
    push(piece: string, logprob: TokenLogprob | undefined): string | undefined {
      if (logprob !== undefined) logprobs.push(logprob);
      const { text: given, stop } = stopText.push(piece);
      // A token without text of its own sends its probability with the next token's.
      if (given !== "" || stop !== undefined) say(given);
      return stop;
    },
    /** The text that a token would add, by itself. */
    textOf: (token: Token) => text.textOf(token),
    /** The text that a token adds, as far as its characters are complete. */
    take: (token: Token) => text.push(token),
    /** Emits the text that was held back. Returns the stop string that it completes, if any. */
    end(): string | undefined {
      const last = stopText.push(text.rest());
      say(last.stop === undefined ? last.text + stopText.rest() : last.text);
      return last.stop;
    },
  };
}
