import type { Digest } from "./manifest.ts";
import type { StoreWrites } from "./store-writes.ts";

/** Writes for one model. Disposing of them removes the blobs they added, except those that a manifest names by then. */
export function draftWrites(writes: StoreWrites): StoreWrites & AsyncDisposable {
  const added: Digest[] = [];
  return {
    ...writes,
    async putBlob(chunks, expected) {
      const blob = await writes.putBlob(chunks, expected);
      if (!blob.existed) added.push(blob.digest);
      return blob;
    },
    async adoptBlob(from, digest) {
      const existed = (await writes.store.blobSize(digest)) !== undefined;
      await writes.adoptBlob(from, digest);
      if (!existed) added.push(digest);
    },
    async [Symbol.asyncDispose]() {
      await writes.prune(added).catch(() => undefined); // the next start cleans up
    },
  };
}
