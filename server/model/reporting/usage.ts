/** What one request has taken of a model, for metrics and for the limits of keys. */
export interface ModelUsage {
  /** The model's short name. */
  readonly model: string;
  readonly promptTokens: number;
  /** Those of the prompt that were known from earlier requests. */
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  /** From the request to its first text, in ms, with the wait and a load; absent without text. */
  readonly firstTextMs?: number | undefined;
  /** Of the engine, for the generated tokens; absent where they were cut off. */
  readonly generationNs?: number;
}

/** Of what is only read, such as texts whose vectors are asked for. */
export const usageOfReading = (model: string, promptTokens: number): ModelUsage => ({
  model,
  promptTokens,
  cachedTokens: 0,
  generatedTokens: 0,
});

export type NoteUsage = (usage: ModelUsage) => void;
