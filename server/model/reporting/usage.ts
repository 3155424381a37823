/** The use of a model by one request, for metrics and for the limits of keys. */
export interface ModelUsage {
  /** The model's short name. */
  readonly model: string;
  readonly promptTokens: number;
  /** Those of the prompt that were known from earlier requests. */
  readonly cachedTokens: number;
  /** Those of `cachedTokens` whose state was on the disk; absent: none. */
  readonly restoredTokens?: number | undefined;
  readonly generatedTokens: number;
  /** From the request to its first text, in ms, with the wait and a load; absent without text. */
  readonly firstTextMs?: number | undefined;
  /** The engine's time for the generated tokens; absent where they were cut off. */
  readonly generationNs?: number;
  /** Calls that were read although the model missed its own markup. */
  readonly recoveredCalls?: number;
}

/** The usage of a request that generates nothing, such as one for the vectors of texts. */
export const usageOfReading = (model: string, promptTokens: number): ModelUsage => ({
  model,
  promptTokens,
  cachedTokens: 0,
  generatedTokens: 0,
});

export type NoteUsage = (usage: ModelUsage) => void;
