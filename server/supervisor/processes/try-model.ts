/** Trial loads of models' headers. A header that the engine does not expect ends the process that reads it. */
import { fileURLToPath } from "node:url";
import { askWorker, type Asking } from "./ask-worker.ts";

const builtEntry = fileURLToPath(new URL("./model-trial.js", import.meta.url));
/** A trial takes about a second; a busy machine gets more time. */
const withinMs = 60_000;

/**
 * The reason why the engine would not load the file, or why its process ended; undefined for a model that it would load.
 * @throws Error for a trial that takes too long; the signal's reason
 */
export async function tryModel(
  file: string,
  { fork, signal }: Asking,
  entry = builtEntry,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(withinMs);
  const asking = { fork, signal: AbortSignal.any([signal, timeout]) };
  return askWorker<string | undefined>({ name: "inspector", entry }, { file }, asking).catch((error: unknown) => {
    asking.signal.throwIfAborted();
    return (error as Error).message;
  });
}
