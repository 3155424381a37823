import { isDiskFull } from "../../../contract/process/disk-full.ts";
import { networkFailure } from "../../../http/outgoing/network-failure.ts";

/** An error reply of a registry, in the contract's words. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly status: number;
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A retry cannot help: the data is wrong, or cannot be written. */
export class FatalTransferError extends Error {
  override readonly name = "FatalTransferError";
}

const longestPauseMs = 60_000;

/** Whether a retry may help: the connection broke, or the registry is busy or has failed. */
function mayPass(error: unknown): boolean {
  if (error instanceof RegistryError) return error.status === 408 || error.status === 429 || error.status >= 500;
  return !(error instanceof FatalTransferError) && !isDiskFull(error);
}

interface Retries {
  readonly attempts: number;
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of each failure that is followed by another try. */
  readonly onRetry?: (line: string) => void;
}

/** The text of a failure, in words where it is one of the network. */
export const failureText = (error: unknown) =>
  networkFailure("the registry", error) ?? ((error as Error).message || "the transfer failed");

/** A registry may answer with a page; its beginning says enough. */
const longestText = 200;

/**
 * Runs the task until it succeeds, fails fatally or used up its tries. Tries that made progress do not count.
 * @throws the error of the last try; the signal's reason when aborted.
 */
export async function withRetries<Result>(
  task: () => Promise<Result>,
  { attempts, delay, onRetry }: Retries,
  signal: AbortSignal,
  gotFurther: () => boolean = () => false,
): Promise<Result> {
  for (let failures = 0; ;) {
    try {
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      failures = gotFurther() ? 1 : failures + 1;
      if (failures >= attempts || !mayPass(error)) throw error;
      const asked = error instanceof RegistryError ? error.retryAfterMs : undefined;
      const ms = Math.min(asked ?? 1000 * 2 ** (failures - 1), longestPauseMs);
      const tries = `try ${String(failures + 1)} of ${String(attempts)} in ${String(Math.ceil(ms / 1000))} s`;
      onRetry?.(`${failureText(error).slice(0, longestText)}: ${tries}`);
      await delay(ms, signal);
    }
  }
}
