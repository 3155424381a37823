/** The base of a new model: an installed model, or uploaded blobs of GGUF files or of rules. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { isAbsolute, normalize } from "node:path";
import { detailsOf } from "../library/gguf/gguf-details.ts";
import { readGgufHeader, type GgufHeader } from "../library/gguf/gguf-header.ts";
import { otherKinds } from "../library/gguf/other-kind.ts";
import type { DraftWrites } from "../library/draft-writes.ts";
import type { InstalledModel, RemoteTarget } from "../library/installed-model.ts";
import { layerTypes, parseDigest, parseManifest, type Digest, type Layer } from "../library/manifest.ts";
import { shortName } from "../library/model-name.ts";
import { checkRulesSize, parseRules } from "../library/rules-file.ts";
import type { Store } from "../library/store.ts";
import { readSmallBlob, readTextBlob } from "../library/stored-model.ts";
import { ifMissing, isMissing } from "../../../file-system/is-missing.ts";
import { unknownAsSent } from "../find-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { RawOptions } from "../../options/model-options.ts";

export interface BaseModel {
  readonly layers: readonly Layer[];
  readonly parameters: RawOptions;
  /** Members of the config blob. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The config of a model from this file. */
function configOf(header: GgufHeader): Record<string, unknown> {
  const { format, family, families, parameter_size, quantization_level } = detailsOf(header);
  return {
    model_format: format,
    model_family: family,
    model_families: families,
    model_type: parameter_size,
    file_type: quantization_level,
  };
}

const rulesConfig = { model_format: "rules", model_family: "rules", model_families: ["rules"] };

/** A model without weights, in Ollama's words for one that runs elsewhere. */
export const baseFromRemote = ({ url, model }: RemoteTarget): BaseModel => ({
  layers: [],
  parameters: {},
  config: { remote_host: url, remote_model: model },
});

/**
 * The store with the model's manifest, and the manifest's bytes; undefined for a plain file, or a model of an upstream.
 * @throws OllamaError 404 for a stored model that is gone by now
 */
export async function findManifest(
  stores: readonly Store[],
  { name, digest, config, remote }: InstalledModel,
): Promise<{ store: Store; bytes: Buffer } | undefined> {
  for (const store of stores) {
    const { path, exists } = await store.locate(name);
    if (!exists) continue;
    const bytes = await store.readManifest(path).catch(ifMissing(undefined));
    if (bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === digest) return { store, bytes };
  }
  if (config !== undefined && remote === undefined) throw new OllamaError(404, unknownAsSent(shortName(name)));
  return undefined;
}

/**
 * Copies or links the blobs of another store's model into our own; those of our own are only held.
 * @throws OllamaError 404 for a blob that is not there, as when the model was deleted meanwhile
 */
export async function adoptLayers(writes: DraftWrites, from: Store, layers: readonly Layer[]): Promise<void> {
  for (const { digest } of layers) {
    await from.blobSize(digest); // refuses one that leads out of a foreign folder
    await writes.adoptBlob(from.blobPath(digest), digest).catch((error: unknown) => {
      if (isMissing(error)) throw new OllamaError(404, `blob "${digest}" of the model not found`, error);
      throw error;
    });
  }
}

/**
 * The layers and the config of an installed model. A plain file is copied into the store, because its owner may change
 * it.
 */
export async function baseFromModel(
  writes: DraftWrites,
  stores: readonly Store[],
  model: InstalledModel,
): Promise<BaseModel> {
  const from = shortName(model.name);
  const { fault } = model.header;
  if (fault !== undefined) throw new OllamaError(400, `${from} cannot be run: ${fault}`);
  const found = await findManifest(stores, model);
  if (found !== undefined) {
    const { layers, config } = parseManifest(found.bytes);
    await adoptLayers(writes, found.store, layers);
    return {
      layers: layers.map((layer) => (layer.mediaType === layerTypes.model ? { ...layer, from } : layer)),
      parameters: model.parameters,
      config: JSON.parse(await readTextBlob(found.store, config)) as Record<string, unknown>,
    };
  }
  const [target] = model.remote?.targets ?? [];
  if (target !== undefined) return baseFromRemote(target);
  if (typeof model.header.metadata.get("split.count") === "number")
    throw new OllamaError(400, `${from} consists of several files: the base of a new model must be a single GGUF file`);
  const { digest, size } = await writes.putBlob(createReadStream(model.path) as AsyncIterable<Buffer>);
  const isScripted = model.rules !== undefined;
  const layer = { mediaType: isScripted ? layerTypes.rules : layerTypes.model, digest, size, from };
  const config = isScripted ? rulesConfig : configOf(model.header);
  return { layers: [layer], parameters: model.parameters, config };
}

async function isGguf(path: string): Promise<boolean> {
  await using file = await open(path, "r");
  const start = Buffer.alloc(4);
  await file.read(start, 0, 4, 0);
  return start.toString("latin1") === "GGUF";
}

/** The kind of layer for the file. @throws OllamaError 400 for an unusable file */
function layerTypeOf({ metadata, otherKind, fault }: GgufHeader, path: string): string {
  if (otherKind === "mmproj") return layerTypes.projector;
  if (otherKind !== undefined) throw new OllamaError(400, `${path} is ${otherKinds[otherKind]}`);
  if (typeof metadata.get("split.count") === "number" && metadata.get("split.count") !== 1)
    throw new OllamaError(
      400,
      "a GGUF in several parts cannot be imported: put the parts into the models folder instead",
    );
  if (fault !== undefined) throw new OllamaError(400, `${path} cannot be run: ${fault}`);
  return layerTypes.model;
}

/** @throws OllamaError 400 for a blob that is not there */
async function findBlob({ store }: DraftWrites, digest: Digest): Promise<number> {
  const size = await store.blobSize(digest);
  if (size !== undefined) return size;
  throw new OllamaError(400, `blob "${digest}" not found: send it with POST /api/blobs/${digest} first`);
}

/** The digest of an uploaded file. @throws OllamaError 400 */
function digestOfFile(path: string, text: string): Digest {
  if (isAbsolute(path) || /^[a-z]:|^\\/i.test(path) || normalize(path).startsWith(".."))
    throw new OllamaError(400, "file path must be relative");
  const digest = parseDigest(text);
  if (digest === undefined) throw new OllamaError(400, "invalid digest format");
  return digest;
}

/** The path of a blob, as in the Modelfile that `show` gives: it tells nothing of the content. */
const isBlobName = (path: string) => /^sha256-[\da-f]{64}$/.test(path);

/** The rules in a model's only file; undefined for a file of another kind. @throws OllamaError 400 for invalid ones */
async function layerOfRules(writes: DraftWrites, path: string, text: string): Promise<Layer | undefined> {
  if (!/\.(?:ya?ml|json)$/i.test(path) && !isBlobName(path)) return undefined;
  const digest = digestOfFile(path, text);
  await writes.hold([digest]);
  const layer = { mediaType: layerTypes.rules, digest, size: await findBlob(writes, digest) };
  if (isBlobName(path) && (await isGguf(writes.store.blobPath(digest)))) return undefined;
  try {
    checkRulesSize(layer.size);
    parseRules(await readSmallBlob(writes.store, layer));
    return layer;
  } catch (error) {
    throw new OllamaError(400, `${path} has no valid rules: ${(error as Error).message}`, error);
  }
}

async function layerOfFile(writes: DraftWrites, path: string, text: string) {
  const digest = digestOfFile(path, text);
  if (/\.safetensors$/i.test(path))
    throw new OllamaError(400, `safetensors are not supported: convert ${path} to GGUF first`);
  const { store } = writes;
  await writes.hold([digest]);
  const size = await findBlob(writes, digest);
  const file = store.blobPath(digest);
  if (!(await isGguf(file))) throw new OllamaError(400, "supplied file was not in GGUF format");
  try {
    const header = await readGgufHeader(file);
    return { header, layer: { mediaType: layerTypeOf(header, path), digest, size } };
  } catch (error) {
    if (error instanceof OllamaError) throw error;
    throw new OllamaError(400, `${path} is not a valid GGUF file: ${(error as Error).message}`, error);
  }
}

/** The layers and the config of uploaded files, given as path and digest. @throws OllamaError 400 */
export async function baseFromFiles(writes: DraftWrites, files: Readonly<Record<string, string>>): Promise<BaseModel> {
  const entries = Object.entries(files);
  const [only = ["", ""]] = entries;
  const rules = entries.length === 1 ? await layerOfRules(writes, ...only) : undefined;
  if (rules !== undefined) return { layers: [rules], parameters: {}, config: rulesConfig };
  const found = await Promise.all(entries.map(([path, digest]) => layerOfFile(writes, path, digest)));
  const weights = found.filter(({ layer }) => layer.mediaType === layerTypes.model);
  const [first] = weights;
  if (first === undefined && found.length > 0)
    throw new OllamaError(
      400,
      "an image encoder (mmproj) alone is not a model: FROM must also name the model's weights",
    );
  if (first === undefined) throw new OllamaError(400, "no files provided to convert");
  if (weights.length > 1) throw new OllamaError(400, "a model requires one GGUF file with weights, not several");
  return { layers: found.map(({ layer }) => layer), parameters: {}, config: configOf(first.header) };
}
