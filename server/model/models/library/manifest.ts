/**
 * Manifests of Ollama's store, which list the blobs of a model. Files and registries are untrusted: a manifest whose
 * digest is not hexadecimal is refused, so no path can lead out of the store.
 */
import { z } from "zod";

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** The file or reply is no manifest; the message has the reason. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
}

/** Models of many tensors have manifests of some hundred kilobytes. */
export const maxManifestBytes = 8 * 1024 * 1024;

const layerPrefix = "application/vnd.ollama.image.";
export const layerTypes = {
  model: `${layerPrefix}model`,
  projector: `${layerPrefix}projector`,
  adapter: `${layerPrefix}adapter`,
  template: `${layerPrefix}template`,
  /** The older name of the template. */
  prompt: `${layerPrefix}prompt`,
  system: `${layerPrefix}system`,
  params: `${layerPrefix}params`,
  messages: `${layerPrefix}messages`,
  license: `${layerPrefix}license`,
  tensor: `${layerPrefix}tensor`,
  /** Our own: the rules of a scripted model, in place of weights. */
  rules: "application/vnd.hearth.image.rules",
} as const;
export const manifestType = "application/vnd.docker.distribution.manifest.v2+json";
export const configType = "application/vnd.docker.container.image.v1+json";

/** Both spellings, `sha256:` and `sha256-`, any case; undefined for anything else. */
export function parseDigest(text: string): Digest | undefined {
  const hex = /^sha256[:-]([0-9a-fA-F]{64})$/.exec(text)?.[1];
  return hex === undefined ? undefined : `sha256:${hex.toLowerCase()}`;
}

/** The first twelve digits, as in progress lines. */
export const shortDigest = (digest: Digest) => digest.slice(7, 19);

const layerSchema = z.object({
  mediaType: z.string(),
  digest: z.string().transform((text, context): Digest => {
    const digest = parseDigest(text);
    if (digest !== undefined) return digest;
    context.addIssue({ code: "custom", message: "no SHA-256 digest" });
    return z.NEVER;
  }),
  /** Bytes. Larger values cannot be true. */
  size: z
    .number()
    .int()
    .min(0)
    .max(2 ** 46),
  /** The name of the model that the weights come from. */
  from: z.string().optional(),
  name: z.string().optional(),
});
export type Layer = z.output<typeof layerSchema>;

const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.string().optional(),
  config: layerSchema,
  layers: z
    .array(layerSchema)
    .max(100_000)
    .nullish()
    .transform((layers) => layers ?? []),
});
export type Manifest = z.output<typeof manifestSchema>;

/** @throws ManifestError */
export function parseManifest(bytes: Buffer): Manifest {
  if (bytes.length > maxManifestBytes) throw new ManifestError("the manifest is too long");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new ManifestError("the manifest is not valid JSON", { cause: error });
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ManifestError(`the manifest is not valid: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** Every blob of the model, each once. */
export function layersOf({ config, layers }: Manifest): Layer[] {
  return [...new Map([...layers, config].map((layer) => [layer.digest, layer])).values()];
}

/** Bytes of all layers and the config, as in lists. */
export const manifestSize = ({ config, layers }: Manifest) => layers.reduce((sum, { size }) => sum + size, config.size);

export const layersOfType = ({ layers }: Manifest, ...types: readonly string[]) =>
  layers.filter(({ mediaType }) => types.includes(mediaType));

export const encodeManifest = (config: Layer, layers: readonly Layer[]): Buffer =>
  Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers }));

/** The config blob: a short description of the model. Members of other types count as missing. */
const text = z.string().optional().catch(undefined);
export const modelConfigSchema = z.object({
  model_format: text,
  model_family: text,
  model_families: z.array(z.string()).nullish().catch(undefined),
  model_type: text,
  file_type: text,
  /** Ollama's own code that makes prompts and reads answers instead of a template. */
  renderer: text,
  parser: text,
  /** Models that run elsewhere. */
  remote_host: text,
  remote_model: text,
});
export type ModelConfig = z.output<typeof modelConfigSchema>;
