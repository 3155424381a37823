import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDiskBlobStore, type BlobStore } from "../../../server/store/blob-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
let blobs: BlobStore;
beforeAll(async () => {
  blobs = await openDiskBlobStore(folder.path);
});
afterAll(() => folder[Symbol.dispose]());

/** Chunks of uneven sizes: parts of something larger by turns with memory of their own. */
function chunksOf(bytes: Buffer): Buffer[] {
  const content = Buffer.concat([bytes, Buffer.alloc(1)]).subarray(0, bytes.length);
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += chunks.at(-1)?.length ?? 0) {
    const part = content.subarray(at, at + 1 + ((chunks.length * 30_011) % 90_001));
    chunks.push(chunks.length % 2 === 0 ? part : Buffer.from(Uint8Array.from(part).buffer));
  }
  return chunks;
}

describe("stored content", () => {
  it.each([0, 1, 1_048_576, 5_000_001])("comes back byte for byte: %i bytes", async (size) => {
    const content = randomBytes(size);
    const stored = await blobs.put(Readable.from(chunksOf(content)));
    expect(stored).toEqual({ sha256: createHash("sha256").update(content).digest("hex"), size });
    await using opened = await blobs.open(stored.sha256);
    expect(opened?.size).toBe(size);
    expect((await buffer(opened!.read())).equals(content)).toBe(true);
  });

  it("can be read to its end although it was removed meanwhile", async () => {
    const content = randomBytes(300_000);
    const { sha256 } = await blobs.put(Readable.from([Buffer.from(content)]));
    await using opened = await blobs.open(sha256);
    await blobs.remove(sha256);
    expect(await blobs.open(sha256)).toBeUndefined();
    expect((await buffer(opened!.read({ start: 10, end: 299_999 }))).equals(content.subarray(10))).toBe(true);
  });

  it("frees the memory of its chunks, but not of parts of a larger buffer", async () => {
    const chunks = chunksOf(randomBytes(300_000));
    await blobs.put(Readable.from([...chunks]));
    expect(chunks.map(({ length }) => length > 0)).toEqual(chunks.map((_, index) => index % 2 === 0));
  });

  it.each([
    [
      "breaks off in its middle",
      async function* () {
        yield randomBytes(3_000_000);
        throw new Error("broken off");
      },
    ],
    [
      "fails at once",
      // eslint-disable-next-line require-yield -- it never gets so far
      async function* () {
        throw new Error("broken off");
      },
    ],
  ])("leaves nothing behind when it %s", async (_how, content) => {
    const before = await blobs.list();
    await expect(blobs.put(Readable.from(content()))).rejects.toThrow("broken off");
    expect(readdirSync(join(folder.path, "incoming"))).toEqual([]);
    expect(await blobs.list()).toEqual(before);
  });
});
