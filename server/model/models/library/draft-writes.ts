import type { Digest } from "./manifest.ts";
import type { StoreWrites } from "./store-writes.ts";

/** Writes for one model, which hold its blobs until they are disposed of. */
export interface DraftWrites extends Omit<StoreWrites, "hold">, AsyncDisposable {
  hold(digests: readonly Digest[]): Promise<void>;
}

/** Disposing of them removes the blobs they added, except those that a manifest names by then. */
export function draftWrites(writes: StoreWrites): DraftWrites {
  const added: Digest[] = [];
  const held: Disposable[] = [];
  const hold = async (digests: readonly Digest[]) => void held.push(await writes.hold(digests));
  return {
    ...writes,
    hold,
    async putBlob(chunks, expected) {
      const blob = await writes.putBlob(chunks, expected);
      held.push(blob);
      if (!blob.existed) added.push(blob.digest);
      return blob;
    },
    async adoptBlob(from, digest) {
      await hold([digest]);
      const existed = (await writes.store.blobSize(digest)) !== undefined;
      await writes.adoptBlob(from, digest);
      if (!existed) added.push(digest);
    },
    async [Symbol.asyncDispose]() {
      for (const one of held) one[Symbol.dispose]();
      await writes.prune(added).catch(() => undefined); // the next start cleans up
    },
  };
}
