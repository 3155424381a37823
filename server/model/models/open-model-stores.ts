/** Connects stores, library and registries: the installed models, and what changes them. */
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Bounds } from "../../file-system/bounded-file.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import type { Log } from "../../process/log.ts";
import type { CreateDeps } from "./create/create-model.ts";
import { checkNotFixed } from "./find-model.ts";
import { createLibrary, type LibraryOptions } from "./library/library.ts";
import { openStore } from "./library/store.ts";
import { StoreWrites } from "./library/store-writes.ts";
import { freeBytesIn } from "./registry/disk-space.ts";
import { pullModel, type Pull, type PullDeps } from "./registry/pull-model.ts";
import type { RegistryCredentials } from "./registry/registry-auth.ts";
import { createSharedDownloads } from "./registry/shared-downloads.ts";
import { createSigningKey } from "./registry/signing-key.ts";
import { createTransports } from "./registry/transport.ts";
import { defaultTransferTuning, type TransferTuning } from "./registry/tuning.ts";

export interface RegistryOptions {
  /** Credentials for registries, by host. */
  readonly credentials?: RegistryCredentials;
  /** The setting registry_mirror. */
  readonly mirror?: string;
  /** File of the signing key of an Ollama on this machine. Registries that know it accept us, too. */
  readonly ollamaKey?: string;
  /** The environment variables with proxies. */
  readonly env?: NodeJS.ProcessEnv;
  /** The setting allowed_targets. */
  readonly allowedTargets?: readonly string[];
  readonly tuning?: Partial<TransferTuning>;
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Bytes of memory that the machine has. */
  readonly totalMemory?: number;
  /** Keeps replaced layers. */
  readonly noPrune?: boolean;
}

export interface ModelStoresOptions extends Omit<LibraryOptions, "stores"> {
  readonly ollamaStore: { readonly dir: string; readonly writable: boolean; readonly bounds?: Bounds } | undefined;
  readonly registry: RegistryOptions;
  readonly renderer: CreateDeps["renderer"];
  readonly nameUpstream: CreateDeps["nameUpstream"];
  /** Deletes the states of prompts that are kept for weights: those of a blob, by its path. */
  readonly forgetPrompts: (path: string) => Promise<void>;
}

export function openModelStores({
  modelsDir,
  ollamaStore,
  registry,
  renderer,
  nameUpstream,
  forgetPrompts,
  bounds,
  log,
  ...rest
}: ModelStoresOptions) {
  const refused = new Set<string>();
  const report = (folder: string, reason: string) => {
    if (!refused.has(folder)) log.warn(`${folder} is not served: ${reason}`);
    refused.add(folder);
  };
  const ours = openStore(modelsDir, bounds?.modelsDir, report);
  const ollama = ollamaStore && openStore(ollamaStore.dir, ollamaStore.bounds, report);
  const changesOllama = ollama !== undefined && ollamaStore?.writable === true;
  const writes = new StoreWrites(changesOllama ? ollama : ours, { forget: forgetPrompts });
  const stores = [...new Set([writes.store, ours, ...(ollama === undefined ? [] : [ollama])])];
  const library = createLibrary({ modelsDir, stores, bounds, log, ...rest });
  const transports = createTransports(registry.env ?? {}, createTargets(registry.allowedTargets ?? []));
  // Another program's store must not be cleaned up.
  const noPrune = registry.noPrune === true || changesOllama;
  const key = createSigningKey({ ollama: registry.ollamaKey, own: join(modelsDir, ".id_ed25519") });
  const pulling: PullDeps = {
    transports,
    key,
    credentials: registry.credentials ?? new Map(),
    ...(registry.mirror !== undefined && { mirror: registry.mirror }),
    writes,
    others: stores.filter((store) => store !== writes.store),
    downloads: createSharedDownloads(),
    tuning: { ...defaultTransferTuning, ...registry.tuning },
    freeBytes: registry.freeBytes ?? freeBytesIn,
    totalMemory: registry.totalMemory ?? totalmem(),
    noPrune,
  };
  const pull: Pull = async function* (options, signal) {
    await checkNotFixed(library, options.name);
    yield* pullModel(pulling, options, signal);
  };
  const creating: CreateDeps = {
    writes,
    stores,
    library,
    noPrune,
    renderer,
    nameUpstream,
    pull: (name, asker, signal) => pull({ name, scheme: "https", insecure: false, asker }, signal),
  };
  if (!noPrune) tidyOwn(writes, log);
  return { library, pull, creating, key, close: () => transports.close() };
}

/** Cleans up after a crash in the background. */
function tidyOwn(writes: StoreWrites, log: Log): void {
  writes
    .tidy(Date.now())
    .catch((error: unknown) => log.warn({ err: error }, "the store of models cannot be cleaned up"));
}
