import type { Prompt } from "./answer/answer-plan.ts";
import type { Gate } from "../starter/gate.ts";
import type { LoadedModel } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";

/** The options of a completion, for every family of routes. */
export interface CompletionOptions extends LoadOptions {
  /**
   * The prompt without the first `dropped` units of its history; called with 0 first. May reject with an OllamaError.
   */
  readonly prompt: (loaded: LoadedModel, dropped: number) => Promise<Prompt>;
  /** The number of units that may be left out to make the prompt fit, and the messages in that many. */
  readonly droppable: number;
  readonly messagesIn: (units: number) => number;
  /** The beginning of the prompt that is never cut or shifted out; "" for none. */
  readonly head: (loaded: LoadedModel) => Promise<string>;
  readonly prefix: readonly number[];
  /** Whether a prompt that is still too long may lose its middle. */
  readonly mayCut: boolean;
  readonly shift: boolean;
  readonly withContext: boolean;
  readonly logprobs: number | undefined;
  /** Refuses in the place of an answer that the model is not sure of. */
  readonly gate?: Gate | undefined;
  /** What to answer in the place of a refusal. */
  readonly rephrased?: CompletionOptions | undefined;
  readonly progress: boolean;
  /** Whether to hide thoughts that the model writes nevertheless. */
  readonly hidesThoughts: boolean;
}
