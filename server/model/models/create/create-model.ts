/** POST /api/create, and the copy of a model. */
import type { ProgressLine } from "../../../contract/model/ollama-library.ts";
import type { TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { Asker } from "../../../http/outgoing/asker.ts";
import { checkNotFixed } from "../find-model.ts";
import type { RemoteTarget } from "../library/installed-model.ts";
import type { InstalledModel, Library } from "../library/library.ts";
import { configType, encodeManifest, parseManifest, type Layer } from "../library/manifest.ts";
import type { ModelName } from "../library/model-name.ts";
import type { Store } from "../library/store.ts";
import { DraftWrites } from "../library/draft-writes.ts";
import type { StoreWrites } from "../library/store-writes.ts";
import { OllamaError } from "../../ollama-error.ts";
import {
  adoptLayers,
  baseFromFiles,
  baseFromModel,
  baseFromRemote,
  findManifest,
  type BaseModel,
} from "./base-model.ts";
import { addTextLayer, addTextLayers, checkTexts, keptLayers, type AddedLayer, type ModelTexts } from "./new-layers.ts";

export interface CreateDeps {
  readonly writes: StoreWrites;
  /** All stores with models, our own included. */
  readonly stores: readonly Store[];
  readonly library: Library;
  /** Keeps replaced layers. */
  readonly noPrune: boolean;
  /** Validates a template. */
  readonly renderer: Pick<TemplateRenderer, "check">;
  /** Pulls a base that is not installed. */
  readonly pull: (name: ModelName, asker: Asker, signal: AbortSignal) => AsyncIterable<ProgressLine>;
  /** Allows a model to run at this base URL from now on. @throws OllamaError 403 unless the asker may do so */
  readonly nameUpstream: (url: string, asker: Asker) => Promise<void>;
}

export interface CreateOptions extends ModelTexts {
  /** The asker on whose behalf it runs. */
  readonly asker: Asker;
  readonly name: ModelName;
  readonly from?: ModelName | RemoteTarget | undefined;
  /** Digests of uploaded blobs by relative path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

async function* findBase({ library, pull }: CreateDeps, from: ModelName, asker: Asker, signal: AbortSignal) {
  const installed = await library.find(from);
  if (installed !== undefined) return installed;
  for await (const line of pull(from, asker, signal)) if (line.status !== "success") yield line;
  const pulled = await library.find(from);
  if (pulled === undefined) throw new OllamaError(500, "the model that was pulled cannot be read");
  return pulled;
}

async function* beginWith(
  deps: CreateDeps,
  writes: DraftWrites,
  { from, files = {}, asker }: CreateOptions,
  signal: AbortSignal,
): AsyncGenerator<ProgressLine, BaseModel> {
  if (from !== undefined && "url" in from) {
    await deps.nameUpstream(from.url, asker);
    return baseFromRemote(from);
  }
  if (from !== undefined) {
    const model: InstalledModel = yield* findBase(deps, from, asker, signal);
    return baseFromModel(writes, deps.stores, model);
  }
  if (Object.keys(files).length === 0) throw new OllamaError(400, "neither 'from' or 'files' was specified");
  const base = await baseFromFiles(writes, files);
  yield { status: `parsing ${base.config["model_format"] === "rules" ? "rules" : "GGUF"}` };
  return base;
}

const layerLine = ({ layer, existed }: AddedLayer): ProgressLine => ({
  status: `${existed ? "using existing" : "creating new"} layer ${layer.digest}`,
});

const configText = (
  config: BaseModel["config"],
  { renderer, parser }: Pick<CreateOptions, "renderer" | "parser">,
  layers: readonly Layer[],
) =>
  JSON.stringify({
    ...config,
    ...(renderer && { renderer }),
    ...(parser && { parser }),
    architecture: "amd64",
    os: "linux",
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
  });

/** @throws OllamaError: 400 for options that cannot be met, 403 for a name that only the setting `model` gives */
export async function* createModel(
  deps: CreateDeps,
  options: CreateOptions,
  signal: AbortSignal,
): AsyncGenerator<ProgressLine, void> {
  await checkNotFixed(deps.library, options.name);
  await checkTexts(options, deps.renderer);
  await using writes = new DraftWrites(deps.writes);
  const base = yield* beginWith(deps, writes, options, signal);
  if (base.config["model_format"] === "rules" && options.template)
    throw new OllamaError(400, "a model that answers by rules has no template: remove TEMPLATE");
  if (base.config["remote_host"] !== undefined && options.template)
    throw new OllamaError(400, "a model at an upstream uses the upstream's template: remove TEMPLATE");
  const kept = keptLayers(base.layers, options);
  const layers = [...kept];
  for (const layer of kept) yield layerLine({ layer, existed: true });
  for await (const added of addTextLayers(writes, options, base.parameters)) {
    layers.push(added.layer);
    yield layerLine(added);
  }
  const config = await addTextLayer(writes, configType, configText(base.config, options, layers));
  yield layerLine(config);
  yield { status: "writing manifest" };
  const replaced = await deps.writes.writeManifest(options.name, encodeManifest(config.layer, layers));
  if (!deps.noPrune) await deps.writes.prune(replaced);
  yield { status: "success" };
}

/** Gives the model a second name. A plain file is copied into the store; stored content is shared. */
export async function copyModel(
  deps: CreateDeps,
  source: InstalledModel,
  { destination, asker }: { readonly destination: ModelName; readonly asker: Asker },
  signal: AbortSignal,
): Promise<void> {
  await checkNotFixed(deps.library, destination);
  const found = await findManifest(deps.stores, source);
  if (found === undefined) {
    const lines = createModel(deps, { name: destination, from: source.name, licenses: [], asker }, signal);
    while ((await lines.next()).done !== true);
    return;
  }
  const { layers, config } = parseManifest(found.bytes);
  await using writes = new DraftWrites(deps.writes);
  await adoptLayers(writes, found.store, [...layers, config]);
  const replaced = await deps.writes.writeManifest(destination, found.bytes);
  if (!deps.noPrune) await deps.writes.prune(replaced);
}
