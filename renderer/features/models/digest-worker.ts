/** A thread that computes the SHA-256 of the file that it is sent, a slice at a time: the browser's own wants it whole. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export type FromDigestWorker =
  | { readonly type: "read"; readonly bytes: number }
  | { readonly type: "digest"; readonly hex: string }
  | { readonly type: "failed"; readonly reason: string };

const sliceBytes = 4 * 1024 * 1024;
const tellEveryMs = 100;

const tell = (message: FromDigestWorker) => self.postMessage(message);

async function hexOf(file: Blob): Promise<string> {
  const hash = sha256.create();
  let toldAt = performance.now();
  for (let at = 0; at < file.size; at += sliceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + sliceBytes).arrayBuffer()));
    if (performance.now() - toldAt < tellEveryMs) continue;
    toldAt = performance.now();
    tell({ type: "read", bytes: Math.min(at + sliceBytes, file.size) });
  }
  return bytesToHex(hash.digest());
}

self.addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  hexOf(data).then(
    (hex) => tell({ type: "digest", hex }),
    (error: unknown) => tell({ type: "failed", reason: error instanceof Error ? error.message : String(error) }),
  );
});
