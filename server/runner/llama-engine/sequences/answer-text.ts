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
  /** Log probabilities that are not written yet, with where in the text their tokens begin. */
  const held: { readonly at: number; readonly logprob: TokenLogprob }[] = [];
  let length = 0;
  let written = 0;
  /** The tokens that come with a piece are those that begin before its end, because a stop may leave out later ones. */
  const say = (piece: string, isLast = false) => {
    written += piece.length;
    const count = isLast ? held.length : held.filter(({ at }) => at < written).length;
    const logprobs = held.splice(0, count).map(({ logprob }) => logprob);
    if (piece === "" && logprobs.length === 0) return;
    write({ type: "text", text: piece, ...(logprobs.length > 0 && { logprobs }) });
  };
  return {
    /** Returns the stop string that is complete, if any. */
    push(piece: string, logprob: TokenLogprob | undefined): string | undefined {
      if (logprob !== undefined) held.push({ at: length, logprob });
      length += piece.length;
      const { text: given, stop } = stopText.push(piece);
      say(given);
      return stop;
    },
    /** The text that a token would add, by itself. */
    textOf: (token: Token) => text.textOf(token),
    /** The text that a token adds, as far as its characters are complete. */
    take: (token: Token) => text.push(token),
    /** Emits the text that was held back. Returns the stop string that it completes, if any. */
    end(): string | undefined {
      const last = stopText.push(text.rest());
      if (last.stop === undefined) say(last.text + stopText.rest(), true);
      else say(last.text);
      return last.stop;
    },
  };
}
