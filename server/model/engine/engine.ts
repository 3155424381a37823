/**
 * The port to the engine. `runner-engine.ts` implements it over the runner process, tests by a script. It knows no
 * names, templates or HTTP.
 */
import type {
  RunnerEmbed,
  RunnerEmbedded,
  RunnerFit,
  RunnerFitted,
  RunnerGenerate,
  RunnerGenerateLine,
  RunnerLoad,
  RunnerRank,
  RunnerRanked,
} from "../../contract/model/runner.ts";
import type { ScriptedRules } from "../models/library/installed-model.ts";

/** `needsTrial`: its header is of a kind that may end the engine's process. */
interface Untested {
  readonly needsTrial?: boolean;
}
/** `rules`: of a model that answers by them instead of weights. */
export type LoadRequest = Omit<RunnerLoad, "id"> & Untested & { readonly rules?: ScriptedRules };
export type FitRequest = RunnerFit & Untested & Pick<LoadRequest, "weights">;
/** Progress and text as they come, then exactly one `done`. Failures are thrown. */
export type GenerationChunk = Exclude<RunnerGenerateLine, { type: "error" }>;

/**
 * `lost`: the engine's process ended while it worked on this request. `unavailable`: no engine is running, and none
 * came within the wait. `not_loaded`: the model was unloaded before the request began, so a retry makes sense.
 */
export type EngineErrorCode =
  | "lost"
  | "unavailable"
  | "not_loaded"
  | "load_failed"
  | "out_of_memory"
  | "prompt_too_long"
  | "not_supported"
  | "bad_request"
  | "failed";

export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  constructor(code: EngineErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A model in the engine's memory. It runs `sequences` generations at a time; more wait in the engine. */
export interface LoadedModel {
  /** The engine's own name for it. */
  readonly id: string;
  /** The window in tokens: as requested, or slightly larger. */
  readonly contextLength: number;
  /** Bytes of memory, and the part of them on a GPU. */
  readonly size: number;
  readonly sizeVram: number;
  readonly sequences: number;
  /** Whether generations may have a `suffix`, and whether rank() works. */
  readonly canInfill: boolean;
  readonly canRank: boolean;
  /** Text of the special tokens that a chat template may insert; empty where the model has none. */
  readonly bosToken: string;
  readonly eosToken: string;
  /** Aborts when the engine loses the model unexpectedly, because its process ended. */
  readonly lost: AbortSignal;
  /** @throws EngineError; the signal's reason when aborted. Leaving the loop early stops the generation, too. */
  generate(request: RunnerGenerate, signal: AbortSignal): AsyncIterable<GenerationChunk>;
  /**
   * The tokens of a text. Special tokens in it are recognised; none is added. For more than `most` tokens it may return
   * only the first ones, but more than `most`. @throws EngineError
   */
  tokenize(text: string, signal: AbortSignal, most?: number): Promise<number[]>;
  /** How many tokens a generation would get for the text as its prompt. @throws EngineError */
  countPrompt(text: string, signal: AbortSignal): Promise<number>;
  /** The text of tokens, that of control tokens included. @throws EngineError, bad_request for a token the model lacks. */
  detokenize(tokens: readonly number[], signal: AbortSignal): Promise<string>;
  /** A vector for each text, not normalized. @throws EngineError, bad_request for an empty text that cannot have one. */
  embed(request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded>;
  /** @throws EngineError; not_supported unless `canRank`. */
  rank(request: RunnerRank, signal: AbortSignal): Promise<RunnerRanked>;
  /** Frees the memory when the running generation has ended. Never throws. */
  unload(): Promise<void>;
}

export interface Engine {
  /**
   * `onProgress` is called with the loaded share, from 0 to 1.
   * @throws EngineError; the signal's reason when aborted.
   */
  load(request: LoadRequest, signal: AbortSignal, onProgress?: (fraction: number) => void): Promise<LoadedModel>;
  /** Estimates the memory for a model without loading it. @throws EngineError; the signal's reason when aborted. */
  fit(request: FitRequest, signal: AbortSignal): Promise<RunnerFitted>;
  close(): void;
}
