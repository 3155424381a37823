import { createHash } from "node:crypto";
import { openFile, type Bounds } from "../../../file-system/bounded-file.ts";

const sampleBytes = 65_536;
const samples = 32;

/**
 * 64 hexadecimal digits that identify a file's content: the SHA-256 of its size, its beginning, its end and evenly
 * spread samples between. Our choice: hashing all of a 5 GB file would delay a list by half a minute, and the digest
 * only distinguishes models and versions.
 */
export async function fingerprint(path: string, size: number, bounds?: Bounds): Promise<string> {
  const hash = createHash("sha256").update(`${String(size)}\n`);
  const buffer = Buffer.alloc(sampleBytes);
  await using file = await openFile(path, bounds);
  const last = Math.max(0, size - sampleBytes);
  const step = Math.max(sampleBytes, Math.floor(last / samples));
  for (let at = 0; ; at = Math.min(at + step, last)) {
    const { bytesRead } = await file.read(buffer, 0, sampleBytes, at);
    hash.update(buffer.subarray(0, bytesRead));
    if (at >= last) return hash.digest("hex");
  }
}
