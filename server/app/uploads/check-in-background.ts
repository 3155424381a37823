import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { UploadContents } from "./upload-contents.ts";

const retryAfterMs = 30_000;

/**
 * Makes rows and contents agree after a start that did not wait for their store: checks until it has answered once.
 * @returns ends that; a check under way is not waited for
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
        log.error(
          { err: error },
          "the contents of the uploads cannot be checked now: they are checked again in a while",
        );
        await setTimeout(retryAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
  void checkUntilDone();
  // A store that hangs must not keep Hearth from ending.
  return () => ending.abort();
}
