import type { Prompt } from "../answer/answer-plan.ts";
import type { LoadedModel } from "../engine/engine.ts";
import type { LoadOptions } from "../scheduler/load-options.ts";

/** What a completion asks of a model, whatever family of routes it came by. */
export interface CompletionOptions extends LoadOptions {
  /** The prompt without the first `dropped` units of its history; called with 0 first. May reject with an OllamaError. */
  readonly prompt: (loaded: LoadedModel, dropped: number) => Promise<Prompt>;
  /** How many units may be left out to make the prompt fit, and how many messages that many of them hold. */
  readonly droppable: number;
  readonly messagesIn: (units: number) => number;
  /** The beginning of the prompt that neither cutting nor shifting may remove; "" for none in particular. */
  readonly head: (loaded: LoadedModel) => Promise<string>;
  readonly prefix: readonly number[];
  /** Whether a prompt that is still too long may lose its middle. */
  readonly mayCut: boolean;
  readonly shift: boolean;
  readonly withContext: boolean;
  readonly logprobs: number | undefined;
  readonly progress: boolean;
  /** Whether thoughts that come nevertheless are kept from the client. */
  readonly hidesThoughts: boolean;
}
