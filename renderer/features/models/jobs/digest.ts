/** Computes the SHA-256 of a file in a thread, so that the page stays responsive. */
import type { FromDigestWorker } from "./digest-worker.ts";

/**
 * Resolves to `sha256:` and 64 hexadecimal digits; `onRead` is called a few times a second with the bytes read so far.
 * @throws Error when the file cannot be read; the signal's reason when aborted
 */
export function digestOf(file: Blob, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(new URL("./digest-worker.ts", import.meta.url), { type: "module" });
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener("abort", stop);
  worker.onmessage = ({ data }: MessageEvent<FromDigestWorker>) => {
    if (data.type === "read") onRead(data.bytes);
    else if (data.type === "digest") resolve(`sha256:${data.hex}`);
    else reject(new Error(data.reason));
  };
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(file);
  return promise.finally(() => {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  });
}
