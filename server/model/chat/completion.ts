import type { ChatRequest, PromptRequest } from "../chat-completion.ts";
import type { LoadedModel } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { Prompt } from "./answer/answer-plan.ts";

/** Renders the prompts of a request: the whole one, and shorter ones where its history is too long. */
export interface PromptSource {
  /**
   * The prompt without the first `dropped` units of its history; called with 0 first. May reject with an OllamaError.
   */
  readonly prompt: (loaded: LoadedModel, dropped: number) => Promise<Prompt>;
  /** The number of units that may be left out to make the prompt fit, and the messages in that many. */
  readonly droppable: number;
  readonly messagesIn: (units: number) => number;
  /** The beginning of the prompt that is never cut or shifted out; "" for none. */
  readonly head: (loaded: LoadedModel) => Promise<string>;
  /** Whether to hide thoughts that the model writes nevertheless. */
  readonly hidesThoughts: boolean;
}

/** A checked request, with the load and the prompts that it needs. */
export interface Completion {
  readonly request: ChatRequest | PromptRequest;
  readonly load: LoadOptions;
  readonly source: PromptSource;
}
