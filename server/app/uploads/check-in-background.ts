import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { UploadContents } from "./upload-contents.ts";

const retryAfterMs = 30_000;

/**
 * Makes rows and contents agree after a start that did not wait for their store. Retries until the store answers.
 * @returns a function that stops the retries. It does not wait for a running check: a store that hangs must not keep
 * Hearth from ending
 */
export function checkInBackground(contents: Pick<UploadContents, "check">, log: Logger): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  async function checkUntilDone(): Promise<void> {
    while (!signal.aborted) {
      try {
        await contents.check(signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const text = "the contents of the uploads cannot be checked now; Hearth tries again later";
        log.error({ err: error }, text);
        await setTimeout(retryAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
  void checkUntilDone();
  return () => ending.abort();
}
