import { setTimeout as later } from "node:timers/promises";
import { environmentNumber } from "../options/environment.ts";

/** Sizes and times of a download; tests have smaller ones. The defaults are Ollama's. */
export interface TransferTuning {
  /** The most parts of one blob on their way at a time. */
  readonly streams: number;
  readonly minPartBytes: number;
  readonly maxPartBytes: number;
  /** A part's record on the disk lags behind by at most this much. */
  readonly recordBytes: number;
  /** A transfer from which nothing has come for so long begins again where it stands. */
  readonly stallMs: number;
  readonly progressMs: number;
  /** Tries of each request and part; pauses of 1, 2, 4… seconds lie between them. */
  readonly attempts: number;
  /** Waits; rejects with the signal's reason when that aborts. */
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

const megabyte = 1_000_000;

export const defaultTuning: TransferTuning = {
  streams: 16,
  minPartBytes: 100 * megabyte,
  maxPartBytes: 1000 * megabyte,
  recordBytes: 8 * megabyte,
  stallMs: 30_000,
  progressMs: 60,
  attempts: 6,
  delay: (ms, signal) => later(ms, undefined, { signal }),
};

/** What OLLAMA_MAX_TRANSFER_STREAMS says. `warn` is told of a bad value, which is as good as none. */
export function tuningFrom(env: NodeJS.ProcessEnv, warn: (message: string) => void): Partial<TransferTuning> {
  const streams = environmentNumber("OLLAMA_MAX_TRANSFER_STREAMS", { env, least: 1, warn });
  return streams === undefined ? {} : { streams };
}
