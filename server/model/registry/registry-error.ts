import { isDiskFull } from "../../contract/process/disk-full.ts";

/** What a registry answered instead of what was asked for, in the contract's words. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly status: number;
  /** What `Retry-After` asks for. */
  readonly retryAfterMs: number | undefined;
  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Trying again cannot help: the data is not what it should be, or cannot be written. */
export class FatalTransferError extends Error {
  override readonly name = "FatalTransferError";
}

const longestPauseMs = 60_000;

/** Whether another try may help: the connection broke, or the registry is busy or in trouble. */
function mayPass(error: unknown): boolean {
  if (error instanceof RegistryError) return error.status === 408 || error.status === 429 || error.status >= 500;
  return !(error instanceof FatalTransferError) && !isDiskFull(error);
}

interface Retries {
  readonly attempts: number;
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs the task until it succeeds, fails for good or has had its tries; those that got further do not count.
 * @throws what the last try threw; the signal's reason when that aborts.
 */
export async function withRetries<Result>(
  task: () => Promise<Result>,
  { attempts, delay }: Retries,
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
      await delay(Math.min(asked ?? 1000 * 2 ** (failures - 1), longestPauseMs), signal);
    }
  }
}
