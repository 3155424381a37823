/** What a request wants of a loaded model, and whether one that is loaded already will do. */
import type { LoadRequest } from "../engine/engine.ts";
import type { InstalledModel } from "../library/library.ts";
import { trainedContext } from "../library/gguf-details.ts";
import { windowFor, type ModelOptions } from "../options/model-options.ts";

export interface LoadOptions {
  readonly model: InstalledModel;
  readonly options: ModelOptions;
  /** Milliseconds; undefined keeps what an earlier request set. */
  readonly keepAliveMs: number | undefined;
  /** Hears how much of the model is loaded, from 0 to 1, where it has to be loaded. */
  readonly onLoading?: (fraction: number) => void;
}

/** One file of weights is loaded once, whatever its names. A file that was replaced is another one. */
export const weightsKey = ({ path, digest }: InstalledModel) => `${digest} ${path}`;

/** Tokens of the window that the request works with. */
export const windowOf = ({ model, options }: Pick<LoadOptions, "model" | "options">) =>
  windowFor(options.num_ctx, trainedContext(model.header));

/** `sequences`: generations at a time; undefined leaves that to the engine. */
export function loadRequestOf(request: LoadOptions, sequences?: number): LoadRequest {
  const { num_batch, num_gpu, use_mmap, num_thread } = request.options;
  return {
    path: request.model.path,
    num_ctx: windowOf(request),
    num_gpu,
    num_thread,
    ...(sequences !== undefined && { sequences }),
    ...(num_batch !== undefined && num_batch > 0 && { num_batch }),
    ...(use_mmap !== undefined && { use_mmap }),
  };
}

/**
 * True when a model loaded by `loaded` serves the request. A larger window than asked for does (our choice: Ollama reloads
 * to the smaller one, so that two clients with different requests reload it for ever); what is automatic accepts anything.
 */
export function serves(loaded: LoadRequest, wanted: LoadOptions): boolean {
  const { num_batch, num_gpu, use_mmap, num_thread } = wanted.options;
  return (
    loaded.num_ctx >= windowOf(wanted) &&
    (num_gpu < 0 || num_gpu === loaded.num_gpu) &&
    (num_thread <= 0 || num_thread === loaded.num_thread) &&
    (num_batch === undefined || num_batch === loaded.num_batch) &&
    (use_mmap === undefined || use_mmap === loaded.use_mmap)
  );
}
