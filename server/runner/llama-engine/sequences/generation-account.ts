/** Counts the work of a generation, for its last line. */
import type { RunnerDone, RunnerGenerate } from "../../../contract/model/runner.ts";

const nanoseconds = (fromMs: number, toMs: number) => Math.max(1, Math.round((toMs - fromMs) * 1e6));

export interface AccountOptions<Token> {
  readonly request: Pick<RunnerGenerate, "with_context">;
  /** The tokens to evaluate, and how many were cut so that the prompt fits. */
  readonly prompt: { readonly tokens: readonly Token[]; readonly cutTokens: number };
}

export function createGenerationAccount<Token extends number>({ request, prompt }: AccountOptions<Token>) {
  const { tokens, cutTokens } = prompt;
  const generated: Token[] = [];
  const began = performance.now();
  let firstAt: number | undefined;
  return {
    generated: generated as readonly Token[],
    /** Prompt tokens that the sequence already held. */
    cached: 0,
    /** Those of them whose state came from the disk. */
    restored: 0,
    /** Drafted tokens, and those of them that were accepted. */
    drafted: 0,
    accepted: 0,
    add(token: Token): void {
      firstAt ??= performance.now();
      generated.push(token);
    },
    /** `stopped`: the stop string that ended it, and the tokens of the answer without it. */
    done(reason: RunnerDone["reason"], stopped?: { stop: string; answer: readonly Token[] }): RunnerDone {
      const now = performance.now();
      return {
        type: "done",
        reason,
        ...(stopped && { stop: stopped.stop }),
        prompt_tokens: tokens.length,
        cached_tokens: this.cached,
        ...(this.restored > 0 && { restored_tokens: this.restored }),
        cut_tokens: cutTokens,
        prompt_ns: nanoseconds(began, firstAt ?? now),
        eval_tokens: generated.length,
        eval_ns: nanoseconds(firstAt ?? now, now),
        drafted_tokens: this.drafted,
        accepted_tokens: this.accepted,
        ...(request.with_context && { context: [...tokens, ...(stopped?.answer ?? generated)] }),
      };
    },
  };
}
