import type { Digest } from "./manifest.ts";
import type { Store } from "./store.ts";
import type { ModelBlob, StoreWrites } from "./store-writes.ts";

/**
 * Writes the blobs of one new model, and holds them until it is disposed of. It then removes the blobs that it added,
 * except those that a manifest names by then.
 */
export class DraftWrites implements AsyncDisposable {
  readonly #writes: StoreWrites;
  readonly #added: Digest[] = [];
  readonly #held: Disposable[] = [];

  constructor(writes: StoreWrites) {
    this.#writes = writes;
  }

  get store(): Store {
    return this.#writes.store;
  }

  async hold(digests: readonly Digest[]): Promise<void> {
    this.#held.push(await this.#writes.hold(digests));
  }

  async putBlob(chunks: AsyncIterable<Uint8Array>, expected?: Digest): Promise<ModelBlob> {
    const blob = await this.#writes.putBlob(chunks, expected);
    this.#held.push(blob);
    if (!blob.existed) this.#added.push(blob.digest);
    return blob;
  }

  async adoptBlob(from: string, digest: Digest): Promise<void> {
    await this.hold([digest]);
    const existed = (await this.#writes.store.blobSize(digest)) !== undefined;
    await this.#writes.adoptBlob(from, digest);
    if (!existed) this.#added.push(digest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#held) one[Symbol.dispose]();
    await this.#writes.prune(this.#added).catch(() => undefined); // the next start cleans up
  }
}
