/** The options of a request to a model: one table, from which types, defaults and what the runner gets follow. */
import { z } from "zod";

interface OptionSpec {
  readonly type: "integer" | "float" | "boolean" | "strings";
  /** Undefined: the model or the engine decides. */
  readonly default: number | readonly string[] | undefined;
  /** Whether it is sent to the runner with each generation, because it decides how the next token is chosen. */
  readonly sampling?: true;
}

export const modelOptions = {
  /** Tokens of the window. */
  num_ctx: { type: "integer", default: undefined },
  num_batch: { type: "integer", default: undefined },
  num_gpu: { type: "integer", default: -1 },
  num_thread: { type: "integer", default: 0 },
  use_mmap: { type: "boolean", default: undefined },
  num_keep: { type: "integer", default: 4 },
  num_predict: { type: "integer", default: -1 },
  /** Tokens to draft at a time; undefined or negative: the engine decides. */
  draft_num_predict: { type: "integer", default: undefined },
  stop: { type: "strings", default: [] },
  temperature: { type: "float", default: 0.8, sampling: true },
  top_k: { type: "integer", default: 40, sampling: true },
  top_p: { type: "float", default: 0.9, sampling: true },
  min_p: { type: "float", default: 0, sampling: true },
  /** Negative: a random one each time. */
  seed: { type: "integer", default: -1, sampling: true },
  repeat_last_n: { type: "integer", default: 64, sampling: true },
  repeat_penalty: { type: "float", default: 1, sampling: true },
  presence_penalty: { type: "float", default: 0, sampling: true },
  frequency_penalty: { type: "float", default: 0, sampling: true },
  /** These are only checked: nothing that runs here uses them. */
  main_gpu: { type: "integer", default: undefined },
  typical_p: { type: "float", default: undefined },
} as const satisfies Readonly<Record<string, OptionSpec>>;

type OptionTable = typeof modelOptions;
export type OptionName = keyof OptionTable;
export type OptionType = OptionSpec["type"];

interface OptionValues {
  readonly integer: number;
  readonly float: number;
  readonly boolean: boolean;
  readonly strings: readonly string[];
}

/** All options with their values. */
export type ModelOptions = {
  readonly [Name in OptionName]:
    OptionValues[OptionTable[Name]["type"]] | (OptionTable[Name]["default"] extends undefined ? undefined : never);
};

type SamplingName = {
  [Name in OptionName]: OptionTable[Name] extends { readonly sampling: true } ? Name : never;
}[OptionName];

export const samplingNames = Object.entries<OptionSpec>(modelOptions)
  .filter(([, { sampling }]) => sampling)
  .map(([name]) => name) as readonly SamplingName[];

/** The options of sampling, with the names and meanings of the Ollama options. */
export const samplingSchema = z.object(
  Object.fromEntries(
    samplingNames.map((name) => [name, modelOptions[name].type === "integer" ? z.number().int() : z.number()]),
  ) as Record<SamplingName, z.ZodNumber>,
);
export type Sampling = z.infer<typeof samplingSchema>;
