/** A thread that computes the SHA-256 of a file slice by slice, because the browser's own function needs it whole. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export type FromDigestWorker =
  | { readonly type: "read"; readonly bytes: number }
  | { readonly type: "digest"; readonly hex: string }
  | { readonly type: "failed"; readonly reason: string };

const sliceBytes = 4 * 1024 * 1024;
const reportIntervalMs = 100;

const report = (message: FromDigestWorker) => self.postMessage(message);

async function hexOf(file: Blob): Promise<string> {
  const hash = sha256.create();
  let reportedAt = performance.now();
  for (let at = 0; at < file.size; at += sliceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + sliceBytes).arrayBuffer()));
    if (performance.now() - reportedAt < reportIntervalMs) continue;
    reportedAt = performance.now();
    report({ type: "read", bytes: Math.min(at + sliceBytes, file.size) });
  }
  return bytesToHex(hash.digest());
}

self.addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  hexOf(data).then(
    (hex) => report({ type: "digest", hex }),
    (error: unknown) => report({ type: "failed", reason: error instanceof Error ? error.message : String(error) }),
  );
});
