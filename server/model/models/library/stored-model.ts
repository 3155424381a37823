/** A model of a store: reads its manifest and checks the blobs. */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { ollamaMessageSchema, type OllamaMessage } from "../../../contract/model/ollama.ts";
import { readGgufHeader, type GgufHeader } from "./gguf/gguf-header.ts";
import { noHeader } from "./no-header.ts";
import { otherKinds } from "./gguf/other-kind.ts";
import type { InstalledModel, TextMessage } from "./installed-model.ts";
import {
  layersOfType,
  layerTypes,
  ManifestError,
  modelConfigSchema,
  parseManifest,
  manifestSize,
  type Layer,
  type Manifest,
  type ModelConfig,
} from "./manifest.ts";
import { parseRules } from "./rules-file.ts";
import type { Store, StoredName } from "./store.ts";
import { unknownFamily } from "./named-families.ts";
import { wireDate } from "./wire-date.ts";

/** The longest text of a layer, because templates, licences and settings are kept in memory. */
const maxTextBytes = 4 * 1024 * 1024;

/** @throws ManifestError when the blob is missing or is not as long as the manifest says */
async function checkBlob(store: Store, { digest, size }: Layer): Promise<void> {
  const found = await store.blobSize(digest);
  if (found === undefined) throw new ManifestError(`its blob ${digest} is missing`);
  if (found !== size)
    throw new ManifestError(`its blob ${digest} has ${String(found)} bytes instead of ${String(size)}`);
}

export async function readSmallBlob(store: Store, layer: Layer): Promise<Buffer> {
  if (layer.size > maxTextBytes) throw new ManifestError(`its blob ${layer.digest} is too long for a text`);
  await checkBlob(store, layer);
  const bytes = await store.readBlob(layer.digest);
  if (`sha256:${createHash("sha256").update(bytes).digest("hex")}` !== layer.digest)
    throw new ManifestError(`its blob ${layer.digest} does not match its digest`);
  return bytes;
}

export const readTextBlob = async (store: Store, layer: Layer): Promise<string> =>
  (await readSmallBlob(store, layer)).toString("utf8");

async function readJsonBlob<Schema extends z.ZodType>(
  store: Store,
  layer: Layer,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await readTextBlob(store, layer);
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new ManifestError(`its blob ${layer.digest} has unexpected content`, { cause: error });
  }
}

const parametersSchema = z.record(z.string(), z.unknown());
export function textMessage({ content = "", ...rest }: OllamaMessage): TextMessage {
  return { ...rest, content: typeof content === "string" ? content : content.map(({ text = "" }) => text).join("") };
}
const messagesSchema = z.array(ollamaMessageSchema.transform(textMessage));

/** The text layers. The last of a kind counts, but licences add up. */
async function readTexts(store: Store, manifest: Manifest) {
  const last = (...types: string[]) => layersOfType(manifest, ...types).at(-1);
  const read = async (layer: Layer | undefined) => (layer === undefined ? undefined : await readTextBlob(store, layer));
  const params = last(layerTypes.params);
  const messages = last(layerTypes.messages);
  const template = await read(last(layerTypes.template, layerTypes.prompt));
  const system = await read(last(layerTypes.system));
  const licenses: string[] = [];
  for (const layer of layersOfType(manifest, layerTypes.license)) licenses.push(await readTextBlob(store, layer));
  return {
    parameters: params === undefined ? {} : await readJsonBlob(store, params, parametersSchema),
    ...(template !== undefined && { template }),
    ...(system !== undefined && system !== "" && { system }),
    ...(messages !== undefined && { messages: await readJsonBlob(store, messages, messagesSchema) }),
    licenses,
  };
}

/** The reason why these weights cannot run. */
function unrunnableWeights(manifest: Manifest, { otherKind, fault }: GgufHeader): string | undefined {
  // Without its adapter it would be a different model.
  if (layersOfType(manifest, layerTypes.adapter).length > 0) return "adapters (LoRA) are not supported";
  return otherKind === undefined ? fault : `its file is ${otherKinds[otherKind]}`;
}

/** The file to run, and the reason if it cannot run. */
async function readWeights(store: Store, manifest: Manifest, { remote_host, remote_model }: ModelConfig) {
  const [weights] = layersOfType(manifest, layerTypes.model);
  const [rules] = layersOfType(manifest, layerTypes.rules);
  if (rules !== undefined && weights === undefined)
    return {
      path: store.blobPath(rules.digest),
      header: noHeader,
      rules: parseRules(await readSmallBlob(store, rules)),
      ...(rules.from !== undefined && { parent: rules.from }),
    };
  // The library says where such a model runs, or that it does not.
  if (weights === undefined && remote_host && remote_model) return { path: "", header: noHeader };
  if (weights === undefined)
    return {
      path: "",
      header: noHeader,
      unrunnable:
        layersOfType(manifest, layerTypes.tensor).length > 0
          ? "its weights are safetensors, and this server runs GGUF only"
          : "it has no weights",
    };
  await checkBlob(store, weights);
  const path = store.blobPath(weights.digest);
  const header = await readGgufHeader(path);
  const unrunnable = unrunnableWeights(manifest, header);
  return {
    path,
    header,
    ...(unrunnable !== undefined && { unrunnable }),
    ...(weights.from !== undefined && { parent: weights.from }),
  };
}

/** The reason for a model whose prompts or answers nothing here makes or reads. */
function unrunnableFamily(config: ModelConfig) {
  const unrunnable = unknownFamily(config);
  return unrunnable === undefined ? {} : { unrunnable };
}

/** @throws ManifestError, GgufError and the like for a model that cannot be listed */
async function readModel(store: Store, { name, path }: StoredName, modifiedAt: Date): Promise<InstalledModel> {
  const bytes = await store.readManifest(path);
  const manifest = parseManifest(bytes);
  const files = (type: string) => layersOfType(manifest, type).map(({ digest }) => store.blobPath(digest));
  const config = await readJsonBlob(store, manifest.config, modelConfigSchema);
  return {
    name,
    size: manifestSize(manifest),
    modifiedAt,
    digest: createHash("sha256").update(bytes).digest("hex"),
    config,
    adapters: files(layerTypes.adapter),
    projectors: files(layerTypes.projector),
    ...(await readTexts(store, manifest)),
    ...(await readWeights(store, manifest, config)),
    ...unrunnableFamily(config),
  };
}

export interface StoredModels {
  /** The model of the manifest; undefined, with a log entry, for one that cannot be served. */
  inspect(stored: StoredName): Promise<InstalledModel | undefined>;
}

/**
 * `tell` is called with a manifest that is not served, and the reason. Blobs never change, so results stay valid while
 * the manifest does.
 */
export function createStoredModels(store: Store, report: (path: string, reason: string) => void): StoredModels {
  const known = new Map<string, { readonly stamp: string; readonly model: InstalledModel }>();
  return {
    async inspect(stored) {
      try {
        const { size, mtimeMs, ino } = await stat(stored.path);
        const stamp = `${String(size)} ${String(mtimeMs)} ${String(ino)}`;
        const entry = known.get(stored.path);
        const model = entry?.stamp === stamp ? entry.model : await readModel(store, stored, wireDate(mtimeMs));
        known.set(stored.path, { stamp, model });
        await store.checkFiles([model.path, ...(model.adapters ?? []), ...(model.projectors ?? [])].filter(Boolean));
        return model;
      } catch (error) {
        known.delete(stored.path);
        report(stored.path, (error as Error).message);
        return undefined;
      }
    },
  };
}
