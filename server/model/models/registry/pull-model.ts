/** POST /api/pull: fetches a model into the own store and yields progress lines. */
import type { ProgressLine } from "../../../contract/model/ollama-library.ts";
import type { Asker } from "../../../http/outgoing/asker.ts";
import { isUnreachable } from "../../../http/outgoing/network-failure.ts";
import { untilAborted } from "../../../process/until-aborted.ts";
import { byteText } from "../../../process/terminal/byte-text.ts";
import {
  layersOf,
  modelConfigSchema,
  parseManifest,
  shortDigest,
  type Digest,
  type Layer,
  type Manifest,
} from "../library/manifest.ts";
import { shortName, type ModelName } from "../library/model-name.ts";
import type { Store } from "../library/store.ts";
import type { StoreWrites } from "../library/store-writes.ts";
import { OllamaError } from "../../ollama-error.ts";
import { BlobDownload, completedBefore } from "./blob-download.ts";
import { memoryWarning, weightCountOf } from "../library/memory-guidance.ts";
import type { TokenDeps } from "./registry-auth.ts";
import { createRegistryClient, type RegistryClient } from "./registry-client.ts";
import { registryBase } from "./registry-base.ts";
import { FatalTransferError, failureText, withRetries } from "./registry-error.ts";
import type { SharedDownload, SharedDownloads } from "./shared-downloads.ts";
import { yieldStatuses } from "./yield-statuses.ts";
import type { Transports } from "./transport.ts";
import type { TransferTuning } from "./tuning.ts";

export interface PullDeps extends Omit<TokenDeps, "transport"> {
  readonly transports: Pick<Transports, "for">;
  readonly writes: StoreWrites;
  /** Other stores, whose blobs need not be downloaded. */
  readonly others: readonly Store[];
  readonly downloads: SharedDownloads;
  /** The setting registry_mirror. */
  readonly mirror?: string;
  readonly tuning: TransferTuning;
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Bytes of memory that the machine has. */
  readonly totalMemory: number;
  /** Keeps replaced layers. */
  readonly noPrune: boolean;
}

export interface PullOptions {
  readonly name: ModelName;
  /** `http` only together with `insecure`. */
  readonly scheme: "http" | "https";
  readonly insecure: boolean;
  /** The asker on whose behalf it runs. */
  readonly asker: Asker;
}

export type Pull = (options: PullOptions, signal: AbortSignal) => AsyncIterable<ProgressLine>;

async function* fetchManifest(registry: RegistryClient, tuning: TransferTuning, signal: AbortSignal) {
  const fetchOnce = () =>
    registry.manifest(signal).catch((error: unknown) => {
      // Nothing has been there yet, so there is nothing to wait for.
      throw isUnreachable(error) ? new FatalTransferError(failureText(error), { cause: error }) : error;
    });
  try {
    const bytes = yield* yieldStatuses((onRetry) => withRetries(fetchOnce, { ...tuning, onRetry }, signal));
    return { bytes, manifest: parseManifest(bytes) };
  } catch (error) {
    signal.throwIfAborted();
    throw new OllamaError(500, `pull model manifest: ${failureText(error)}`, error);
  }
}

/** The manifest's blobs that the store lacks, or has with another size. */
async function missingOf({ store }: StoreWrites, layers: readonly Layer[]): Promise<Layer[]> {
  const sizes = await Promise.all(layers.map(({ digest }) => store.blobSize(digest)));
  return layers.filter(({ size }, index) => sizes[index] !== size);
}

/** Copies blobs from another store. */
async function adoptFromOthers({ writes, others }: PullDeps, missing: readonly Layer[]): Promise<void> {
  for (const { digest, size } of missing)
    for (const other of others)
      if ((await other.blobSize(digest)) === size) {
        // A damaged one there counts as missing.
        await writes.adoptBlob(other.blobPath(digest), digest).catch(() => undefined);
      }
}

async function checkSpace({ writes, freeBytes }: PullDeps, name: ModelName, missing: readonly Layer[]): Promise<void> {
  const { store } = writes;
  let needed = 0;
  for (const { digest, size } of missing)
    needed += size - (await completedBefore({ digest, size, path: store.blobPath(digest) }));
  const free = await freeBytes(store.blobsDir);
  if (needed > free)
    throw new OllamaError(
      500,
      `not enough disk space: ${shortName(name)} needs ${byteText(needed)} more, but only ${byteText(free)} are free in ${store.dir}`,
    );
}

/** How far the download is, and that it tries again; with `retriesOnly` nothing else. */
async function* progressOf(
  { size, digest }: Layer,
  download: SharedDownload,
  { tuning: { progressMs }, retriesOnly }: { readonly tuning: TransferTuning; readonly retriesOnly: boolean },
  signal: AbortSignal,
): AsyncGenerator<ProgressLine> {
  const status = `pulling ${shortDigest(digest)}`;
  const line = (completed: number): ProgressLine => ({
    status,
    digest,
    total: size,
    ...(completed > 0 && { completed }),
  });
  let over = false;
  let tick = Promise.withResolvers<void>();
  const wake = () => tick.resolve();
  const end = () => {
    over = true;
    wake();
  };
  download.fetched.then(end, end);
  signal.addEventListener("abort", wake, { once: true });
  try {
    let reported = -1;
    let lastRetry = download.lastRetry();
    while (!over) {
      signal.throwIfAborted();
      const retry = download.lastRetry();
      if (retry !== undefined && retry !== lastRetry) yield { status: (lastRetry = retry).status };
      const completed = Math.max(reported, download.completed());
      if (completed < size && !retriesOnly) yield line((reported = completed));
      // Not a race with the download: that would keep something of each tick until its end.
      const timer = setTimeout(wake, progressMs);
      await tick.promise;
      clearTimeout(timer);
      tick = Promise.withResolvers();
    }
    await download.fetched;
    if (!retriesOnly) yield line(size);
  } finally {
    signal.removeEventListener("abort", wake);
  }
}

/** The downloads of one pull. Disposing of it leaves them. */
async function createTransfer(
  { writes, downloads, tuning }: PullDeps,
  registry: RegistryClient,
  layers: readonly Layer[],
) {
  const held = await writes.hold(layers.map(({ digest }) => digest));
  const joined = new Map<Digest, SharedDownload>();
  const create = ({ digest, size }: Layer): BlobDownload =>
    new BlobDownload(registry, { digest, size, path: writes.store.blobPath(digest) }, tuning);
  return {
    joined,
    join(layer: Layer): SharedDownload {
      const download = joined.get(layer.digest) ?? downloads.join(layer.digest, () => create(layer));
      joined.set(layer.digest, download);
      return download;
    },
    async [Symbol.asyncDispose]() {
      held[Symbol.dispose]();
      await Promise.all([...joined.values()].map((download) => download[Symbol.asyncDispose]()));
    },
  };
}

/** A warning when memory is short for the model. Its config is small and therefore fetched first. */
async function warningOf({ writes, totalMemory }: PullDeps, { config }: Manifest): Promise<ProgressLine[]> {
  try {
    const value: unknown = JSON.parse((await writes.store.readBlob(config.digest)).toString());
    const parameters = weightCountOf(modelConfigSchema.parse(value).model_type ?? "");
    const warning = parameters === undefined ? undefined : memoryWarning(parameters, totalMemory);
    return warning === undefined ? [] : [{ status: `warning: ${warning}` }];
  } catch {
    return [];
  }
}

/**
 * @throws OllamaError with the contract's texts; RegistryError and the like for a blob; the signal's reason. Received
 * bytes are kept, and the next pull resumes.
 */
export async function* pullModel(
  deps: PullDeps,
  { name, scheme, insecure, asker }: PullOptions,
  signal: AbortSignal,
): AsyncGenerator<ProgressLine, void> {
  const { writes, tuning } = deps;
  if (scheme === "http" && !insecure) throw new OllamaError(500, "insecure protocol http");
  yield { status: "pulling manifest" };
  const registry = createRegistryClient(
    { ...deps, transport: deps.transports.for(asker) },
    { name, base: registryBase(name, insecure ? "http" : scheme, deps.mirror) },
  );
  const { bytes, manifest } = yield* fetchManifest(registry, tuning, signal);
  const layers = layersOf(manifest);
  await using transfer = await createTransfer(deps, registry, layers);
  await adoptFromOthers(deps, await missingOf(writes, layers));
  const missing = new Set(await missingOf(writes, layers));
  signal.throwIfAborted();
  await checkSpace(deps, name, [...missing]);
  const config = layers.find(({ digest }) => digest === manifest.config.digest);
  if (config !== undefined && missing.has(config)) {
    const download = transfer.join(config);
    yield* progressOf(config, download, { tuning, retriesOnly: true }, signal);
    await untilAborted(download.finish(), signal);
  }
  yield* await warningOf(deps, manifest);
  for (const layer of layers) {
    const { digest, size } = layer;
    if (missing.has(layer)) yield* progressOf(layer, transfer.join(layer), { tuning, retriesOnly: false }, signal);
    else yield { status: `pulling ${shortDigest(digest)}`, digest, total: size, completed: size };
  }
  yield { status: "verifying sha256 digest" };
  for (const download of transfer.joined.values()) await untilAborted(download.finish(), signal);
  yield { status: "writing manifest" };
  const replaced = await writes.writeManifest(name, bytes);
  if (replaced.length > 0 && !deps.noPrune) {
    yield { status: "removing unused layers" };
    await writes.prune(replaced);
  }
  yield { status: "success" };
}
