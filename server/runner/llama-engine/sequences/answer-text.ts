/** The growing text of a generation: whole characters, without any part of a stop string. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { RunnerGenerate, RunnerGenerateLine, TokenLogprob } from "../../../contract/model/runner.ts";
import { createStopText } from "./stop-text.ts";
import { createTokenText } from "./token-text.ts";

export interface AnswerTextOptions {
  readonly request: Pick<RunnerGenerate, "control_text" | "stop">;
  /** The tokens before the answer. */
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
  const taken: { readonly at: number; readonly token: Token }[] = [];
  let whole = "";
  let written = 0;
  /** The tokens that come with a piece are those that begin before its end, because a stop may leave out later ones. */
  const emit = (piece: string, isLast = false) => {
    written += piece.length;
    const count = isLast ? held.length : held.filter(({ at }) => at < written).length;
    const logprobs = held.splice(0, count).map(({ logprob }) => logprob);
    if (piece === "" && logprobs.length === 0) return;
    write({ type: "text", text: piece, ...(logprobs.length > 0 && { logprobs }) });
  };
  return {
    /** Takes a piece of text, and its tokens. Returns the stop string that is complete, if any. */
    push(piece: string, tokens: readonly Token[], logprob: TokenLogprob | undefined): string | undefined {
      const at = whole.length;
      if (logprob !== undefined) held.push({ at, logprob });
      for (const token of tokens) taken.push({ at, token });
      whole += piece;
      const { text: free, stop } = stopText.push(piece);
      emit(free);
      return stop;
    },
    /** The text that a token would add, by itself. */
    textOf: (token: Token) => text.textOf(token),
    /** The text that a token adds, as far as its characters are complete. */
    take: (token: Token) => text.push(token),
    /** The text of the tokens so far whose characters are incomplete. */
    rest: () => text.rest(),
    /** Emits the text that was held back. Returns the stop string that it completes, if any. */
    end(): string | undefined {
      const rest = text.rest();
      whole += rest;
      const last = stopText.push(rest);
      if (last.stop === undefined) emit(last.text + stopText.rest(), true);
      else emit(last.text);
      return last.stop;
    },
    /** The tokens of the text that was emitted: one that a stop string cuts gives way to those of its beginning. */
    emitted(): Token[] {
      const end = [...taken.map(({ at }) => at), whole.length].findLast((at) => at <= written) ?? 0;
      const begun = whole.slice(end, written);
      return [
        ...taken.flatMap(({ at, token }) => (at < end ? [token] : [])),
        ...model.tokenize(begun, request.control_text === true, "trimLeadingSpace"),
      ];
    },
  };
}
