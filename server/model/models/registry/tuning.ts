import { setTimeout as later } from "node:timers/promises";
import { environmentNumber } from "../../options/environment.ts";

/** Sizes and times of a download; tests use smaller ones. The defaults are Ollama's. */
export interface TransferTuning {
  /** The most simultaneous parts of a blob. */
  readonly streams: number;
  readonly minPartBytes: number;
  readonly maxPartBytes: number;
  /** The record of a part on the disk is at most this many bytes behind. */
  readonly recordBytes: number;
  /** A transfer that received nothing for this long is resumed anew. */
  readonly stallMs: number;
  readonly progressMs: number;
  /** Tries of each request and part, with pauses of 1, 2, 4… seconds. */
  readonly attempts: number;
  /** Waits; rejects with the signal's reason when that aborts. */
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

const megabyte = 1_000_000;

export const defaultTransferTuning: TransferTuning = {
  streams: 16,
  minPartBytes: 100 * megabyte,
  maxPartBytes: 1000 * megabyte,
  recordBytes: 8 * megabyte,
  stallMs: 30_000,
  progressMs: 60,
  attempts: 6,
  delay: (ms, signal) => later(ms, undefined, { signal }),
};

/** Reads OLLAMA_MAX_TRANSFER_STREAMS. A bad value is ignored and passed to `warn`. */
export function tuningFrom(env: NodeJS.ProcessEnv, warn: (message: string) => void): Partial<TransferTuning> {
  const streams = environmentNumber("OLLAMA_MAX_TRANSFER_STREAMS", { env, least: 1, warn });
  return streams === undefined ? {} : { streams };
}
