/** The load options of a request, and whether an already loaded model fulfils them. */
import { basename } from "node:path";
import type { LoadRequest } from "../engine.ts";
import type { InstalledModel } from "../../models/library/library.ts";
import { architectureOf, trainedContext } from "../../models/library/gguf/gguf-details.ts";
import { isPlainArchitecture } from "../../models/library/gguf/tensor-shapes.ts";
import type { ModelOptions } from "../../../contract/model/model-options.ts";
import { windowFor } from "../../options/model-options.ts";

export interface LoadOptions {
  readonly model: InstalledModel;
  readonly options: ModelOptions;
  /** Milliseconds; undefined keeps the value of an earlier request. */
  readonly keepAliveMs: number | undefined;
  /** False for work beside generations, such as tokenizing, which waits for none of them. */
  readonly needsPlace?: boolean;
  /** Called with the loaded share, from 0 to 1, while the model loads. */
  readonly onLoading?: (fraction: number) => void;
}

/** The path of a blob, which is named by the digest of its content; a model's own digest is that of all its layers. */
const isBlob = (path: string) => /[/\\]sha256-[\da-f]{64}$/.test(path);

/**
 * A key for a file of weights. Several models share one load; a replaced file is a different one. Models share no rules,
 * because these count their answers.
 */
export const weightsKey = ({ path, digest, rules }: Pick<InstalledModel, "path" | "digest" | "rules">) =>
  rules?.id ?? (isBlob(path) ? path : `${digest} ${path}`);

/** Identifies the content of a model's weights, wherever the file is. */
export const contentId = ({ path, digest }: Pick<InstalledModel, "path" | "digest">) =>
  isBlob(path) ? basename(path) : digest;

const needsTrial = ({ header, rules }: InstalledModel) =>
  rules === undefined && !isPlainArchitecture(architectureOf(header));

/** Tokens of the window of the request. */
export const windowOf = ({ model, options }: Pick<LoadOptions, "model" | "options">) =>
  windowFor(options.num_ctx, trainedContext(model.header));

/** `sequences`: generations at a time; undefined leaves that to the engine. */
export function loadRequestOf(request: LoadOptions, sequences?: number): LoadRequest {
  const { num_batch, num_gpu, use_mmap, num_thread } = request.options;
  return {
    path: request.model.path,
    ...(request.model.rules !== undefined && { rules: request.model.rules }),
    weights: contentId(request.model),
    ...(needsTrial(request.model) && { needsTrial: true }),
    num_ctx: windowOf(request),
    num_gpu,
    num_thread,
    ...(sequences !== undefined && { sequences }),
    ...(num_batch !== undefined && num_batch > 0 && { num_batch }),
    ...(use_mmap !== undefined && { use_mmap }),
  };
}

/**
 * True when a model loaded by `loaded` serves the request. A larger window also fits (our choice: Ollama reloads to the
 * smaller one, so two clients with different requests reload it for ever). Automatic values fit anything.
 */
export function serves(loaded: LoadRequest, wanted: LoadOptions): boolean {
  const { num_ctx, num_batch, num_gpu = -1, num_thread = 0, use_mmap } = loadRequestOf(wanted);
  return (
    loaded.num_ctx >= num_ctx &&
    (num_gpu < 0 || num_gpu === loaded.num_gpu) &&
    (num_thread <= 0 || num_thread === loaded.num_thread) &&
    (num_batch === undefined || num_batch === loaded.num_batch) &&
    (use_mmap === undefined || use_mmap === loaded.use_mmap)
  );
}
