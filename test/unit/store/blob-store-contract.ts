/** What the features rely on of a store of contents, wherever it keeps them: to be called by a test file of each. */
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BlobStore } from "../../../server/store/blobs/blob-store.ts";

interface Place {
  /** Opens the same store each time. */
  open(): Promise<BlobStore>;
  /** What is in the place beside whole contents: files or objects of what is half stored. */
  halfStored(): Promise<string[]>;
  dispose(): Promise<void>;
}

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

const mebibyte = 1_048_576;
const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex");

export function itIsABlobStore(begin: () => Promise<Place>): void {
  let place: Place;
  let blobs: BlobStore;
  beforeEach(async () => {
    place = await begin();
    blobs = await place.open();
  });
  afterEach(() => place.dispose());

  const put = (content: Buffer) => blobs.put(Readable.from([Buffer.from(content)]));
  async function readBack(sha256: string, range?: { start: number; end: number }): Promise<Buffer | undefined> {
    await using opened = await blobs.open(sha256);
    return opened && (await buffer(opened.read(range)));
  }

  describe("stored content", () => {
    it.each([0, 1, mebibyte, 5 * mebibyte, 12 * mebibyte + 1])("comes back byte for byte: %i bytes", async (size) => {
      const content = randomBytes(size);
      const stored = await blobs.put(Readable.from(chunksOf(content)));
      expect(stored).toEqual({ sha256: sha256Of(content), size });
      await using opened = await blobs.open(stored.sha256);
      expect(opened?.size).toBe(size);
      expect((await buffer(opened!.read())).equals(content)).toBe(true);
      expect(await place.halfStored()).toEqual([]);
    });

    it("comes back in parts, several from one opening", async () => {
      const content = randomBytes(300_000);
      const { sha256 } = await put(content);
      await using opened = await blobs.open(sha256);
      for (const [start, end] of [
        [0, 0],
        [10, 299_999],
        [1_000, 1_999],
      ] as const)
        expect((await buffer(opened!.read({ start, end }))).equals(content.subarray(start, end + 1))).toBe(true);
    });

    it("can be read to its end although it is removed meanwhile", async () => {
      const content = randomBytes(2 * mebibyte);
      const { sha256 } = await put(content);
      await using opened = await blobs.open(sha256);
      const reading = opened!.read().iterator() as AsyncIterator<Buffer>;
      const parts = [(await reading.next()).value as Buffer];
      await blobs.remove(sha256);
      expect(await blobs.open(sha256)).toBeUndefined();
      for (let next = await reading.next(); next.done !== true; next = await reading.next()) parts.push(next.value);
      expect(Buffer.concat(parts).equals(content)).toBe(true);
    });

    it("is one of equal bytes, which a second store of them leaves as it is", async () => {
      const content = randomBytes(1_000);
      const [one, two] = await Promise.all([put(content), put(content)]);
      expect(one).toEqual(two);
      expect(await blobs.list()).toEqual([one.sha256]);
      await blobs.remove(one.sha256);
      await blobs.remove(one.sha256);
      expect(await blobs.list()).toEqual([]);
    });

    it("frees the memory of its chunks, but not of parts of a larger buffer", async () => {
      const chunks = chunksOf(randomBytes(300_000));
      await blobs.put(Readable.from([...chunks]));
      expect(chunks.map(({ length }) => length > 0)).toEqual(chunks.map((_, index) => index % 2 === 0));
    });
  });

  describe("content on its way", () => {
    it.each([1_000, 6 * mebibyte])("is looked at before it is there, and refused: %i bytes", async (size) => {
      const content = randomBytes(size);
      const seen: unknown[] = [];
      const refused = blobs.put(Readable.from(chunksOf(content)), async (head, blob) => {
        seen.push(head.equals(content.subarray(0, 8192)), blob, await blobs.open(blob.sha256));
        throw new Error("not this one");
      });
      await expect(refused).rejects.toThrow("not this one");
      expect(seen).toEqual([true, { sha256: sha256Of(content), size }, undefined]);
      expect([await blobs.list(), await blobs.unsettled(), await place.halfStored()]).toEqual([[], [], []]);
    });

    it.each([
      [
        "breaks off in its middle",
        async function* () {
          for (let part = 0; part < 7; part++) yield randomBytes(mebibyte);
          throw new Error("broken off");
        },
      ],
      [
        "fails at once",
        // oxlint-disable-next-line require-yield -- it never gets so far
        async function* () {
          throw new Error("broken off");
        },
      ],
    ])("leaves nothing behind when it %s", async (_how, content) => {
      await expect(blobs.put(Readable.from(content()))).rejects.toThrow("broken off");
      expect([await blobs.list(), await blobs.unsettled(), await place.halfStored()]).toEqual([[], [], []]);
    });

    it("counts as unsettled until it is settled or removed, also for those who open the store again", async () => {
      const stored = await Promise.all([1, 2, 3].map(() => put(randomBytes(100))));
      const [settled = "", removed = "", left = ""] = stored.map(({ sha256 }) => sha256);
      await blobs.settle(settled);
      await blobs.remove(removed);
      const again = await place.open();
      await again.removeRemains();
      expect(await again.unsettled()).toEqual([left]);
      expect((await again.list()).toSorted()).toEqual([settled, left].toSorted());
    });
  });

  describe("content that is set aside", () => {
    it("is no longer there, and comes back as it was", async () => {
      const content = randomBytes(3_000);
      const { sha256 } = await put(content);
      expect(await blobs.setAside(sha256)).toBe(true);
      expect([await blobs.list(), await readBack(sha256)]).toEqual([[], undefined]);
      expect(await blobs.orphans()).toEqual({ count: 1, bytes: 3_000 });
      expect(await blobs.setAside(sha256)).toBe(false);
      expect(await blobs.takeBack(sha256)).toBe(true);
      expect(await blobs.takeBack(sha256)).toBe(false);
      expect((await readBack(sha256))?.equals(content)).toBe(true);
      expect(await blobs.orphans()).toEqual({ count: 0, bytes: 0 });
    });

    it("goes for good, unless somebody names it", async () => {
      const named = await put(randomBytes(10));
      const unnamed = await put(randomBytes(20));
      for (const { sha256 } of [named, unnamed]) await blobs.setAside(sha256);
      expect(await blobs.removeSetAside(async (sha256) => sha256 === named.sha256)).toBe(1);
      expect(await blobs.orphans()).toEqual({ count: 1, bytes: 10 });
    });
  });

  it("an invalid address is refused, whatever is asked of it", async () => {
    for (const ask of ["open", "remove", "settle", "setAside", "takeBack"] as const)
      await expect(async () => blobs[ask]("../hearth.db")).rejects.toThrow("not a sha256");
  });
}
