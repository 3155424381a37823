import type { RunnerGenerate } from "../../../contract/model/runner.ts";
import { RunnerFailure } from "../../runner-failure.ts";

/**
 * Shortens a prompt so that it fits into the window with room for at least one token. Keeps the first `num_keep`
 * tokens, and the newest of the rest up to half of the window.
 * @throws RunnerFailure prompt_too_long when the request forbids it.
 */
export function fitPrompt<Token>(
  tokens: readonly Token[],
  { window, overflow, num_keep: keep }: Pick<RunnerGenerate, "window" | "overflow" | "num_keep">,
  hasBegin: boolean,
): Token[] {
  if (tokens.length < window) return [...tokens];
  if (overflow === "refuse")
    throw new RunnerFailure(
      "prompt_too_long",
      `the prompt has ${String(tokens.length)} tokens or more, the context length is ${String(window)}`,
    );
  const head = keptTokens(keep, hasBegin, tokens.length, window);
  const tail = Math.max(1, Math.floor((window - head) / 2));
  return [...tokens.slice(0, head), ...tokens.slice(-tail)];
}

/** Tokens at the start that neither cutting nor shifting may remove. Never more than half of the window. */
export function keptTokens(keep: number, hasBegin: boolean, promptLength: number, window: number): number {
  const wanted = keep < 0 ? promptLength : keep + (hasBegin ? 1 : 0);
  return Math.min(wanted, promptLength, Math.floor(window / 2));
}
