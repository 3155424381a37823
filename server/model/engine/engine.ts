/**
 * The engine as the model service sees it: a port. `runner-engine.ts` reaches the real one in the runner process; tests
 * have a scripted one. Nothing here knows names, templates or HTTP.
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

/** What to generate, and how: see the contract of the runner, whose fields these are. */
export type GenerationRequest = RunnerGenerate;
export type LoadRequest = RunnerLoad;
/** Progress and text as they come, then exactly one `done`. Failures are thrown instead. */
export type GenerationChunk = Exclude<RunnerGenerateLine, { type: "error" }>;

/**
 * `lost`: the engine's process ended while it worked on this request. `unavailable`: there is no engine now, and none
 * came while we waited. `not_loaded`: the model went away before the request began, so that another try makes sense.
 */
export type EngineErrorCode =
  | "lost"
  | "unavailable"
  | "not_loaded"
  | "load_failed"
  | "out_of_memory"
  | "prompt_too_long"
  | "not_supported"
  | "failed";

export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  constructor(code: EngineErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A model in the engine's memory. It serves `sequences` generations at a time; more wait in the engine. */
export interface LoadedModel {
  /** The engine's own name for it. */
  readonly id: string;
  /** The window in tokens: what was asked for, or slightly more. */
  readonly contextLength: number;
  /** Bytes of memory, and how many of them are a GPU's. */
  readonly size: number;
  readonly sizeVram: number;
  readonly sequences: number;
  /** Whether generations may have a `suffix`, and whether rank() works. */
  readonly canInfill: boolean;
  readonly canRank: boolean;
  /** Text of the special tokens that a chat template may insert; empty where the model has none. */
  readonly bosToken: string;
  readonly eosToken: string;
  /** Aborts when the engine has lost the model without being asked to: its process ended. */
  readonly lost: AbortSignal;
  /** @throws EngineError; the signal's reason when aborted. Leaving the loop early stops the generation, too. */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationChunk>;
  /**
   * The tokens of a text, in which special tokens are recognised; none is added. Of a text with more than `most` the first
   * ones, and more than that. @throws EngineError
   */
  tokenize(text: string, signal: AbortSignal, most?: number): Promise<number[]>;
  /** How many tokens a generation would get for the text as its prompt. @throws EngineError */
  countPrompt(text: string, signal: AbortSignal): Promise<number>;
  /** The text of tokens, that of control tokens included. @throws EngineError, failed for a token the model lacks. */
  detokenize(tokens: readonly number[], signal: AbortSignal): Promise<string>;
  /** A vector for each text, as the model gives it: not of any particular length. @throws EngineError */
  embed(request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded>;
  /** @throws EngineError; not_supported unless `canRank`. */
  rank(request: RunnerRank, signal: AbortSignal): Promise<RunnerRanked>;
  /** Gives the memory back when the generation under way has ended. Never throws. */
  unload(): Promise<void>;
}

export interface Engine {
  /**
   * `onProgress` hears how much of the model is there, from 0 to 1.
   * @throws EngineError; the signal's reason when aborted.
   */
  load(request: LoadRequest, signal: AbortSignal, onProgress?: (fraction: number) => void): Promise<LoadedModel>;
  /** What a model would need of the memory, told without loading it. @throws EngineError; the signal's reason when aborted. */
  fit(request: RunnerFit, signal: AbortSignal): Promise<RunnerFitted>;
  close(): void;
}
