/** Writes models into a folder in the layout of Ollama's store, as Ollama itself would, or as it never would. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configType, encodeManifest, type Digest, type Layer } from "../../../server/model/models/library/manifest.ts";
import { defaultConfig, digestOf, type RegistryLayer } from "./model-registry.ts";

export function putBlob(dir: string, { mediaType, bytes }: RegistryLayer): Layer {
  const digest = digestOf(bytes) as Digest;
  const path = join(dir, "blobs", digest.replace(":", "-"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return { mediaType, digest, size: bytes.length };
}

/** `name`: host/namespace/model/tag. */
export function putManifest(dir: string, name: string, manifest: Uint8Array): void {
  const path = join(dir, "manifests", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, manifest);
}

export function putModel(dir: string, name: string, content: readonly RegistryLayer[], config: object = defaultConfig) {
  const layers = content.map((layer) => putBlob(dir, layer));
  const described = putBlob(dir, { mediaType: configType, bytes: Buffer.from(JSON.stringify(config)) });
  putManifest(dir, name, encodeManifest(described, layers));
  return { layers, config: described };
}
