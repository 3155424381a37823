import { OllamaError } from "../ollama-error.ts";

export interface UpstreamErrorOptions {
  readonly mayRetry: boolean;
  readonly pauseMs?: number | undefined;
  readonly isAnswer?: boolean;
  readonly cause?: unknown;
}

/** A failure of an upstream. The message names the upstream and what to do. */
export class UpstreamError extends OllamaError {
  /** Whether another upstream may do better. */
  readonly mayRetry: boolean;
  /** Milliseconds until the upstream is worth a try again; undefined: it answers, so at once. */
  readonly pauseMs: number | undefined;
  /** Whether it answered, and only refuses. */
  readonly isAnswer: boolean;
  constructor(status: number, message: string, { mayRetry, pauseMs, isAnswer = false, cause }: UpstreamErrorOptions) {
    super(status, message, cause);
    this.isAnswer = isAnswer;
    this.mayRetry = mayRetry;
    this.pauseMs = pauseMs;
  }
}
