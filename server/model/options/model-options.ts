/**
 * The `options` of a request: types, defaults, and what they mean for loading and for generating (contract: ollama,
 * Options).
 */
import type { Sampling } from "../../contract/model/runner.ts";
import { OllamaError } from "../ollama-error.ts";

const integers = {
  num_ctx: undefined,
  num_batch: undefined,
  num_gpu: -1,
  main_gpu: undefined,
  num_thread: 0,
  draft_num_predict: undefined,
  num_keep: 4,
  num_predict: -1,
  top_k: 40,
  seed: -1,
  repeat_last_n: 64,
} as const;
const floats = {
  temperature: 0.8,
  top_p: 0.9,
  min_p: 0,
  typical_p: 1,
  repeat_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
} as const;

/** Options of older versions, which clients still send: without effect now. */
export const retiredOptions: ReadonlySet<string> = new Set(
  "mirostat mirostat_tau mirostat_eta tfs_z penalize_newline low_vram f16_kv vocab_only use_mlock numa logits_all".split(
    " ",
  ),
);

/** Of 32 bits. */
const largestFloat = 3.4028234663852886e38;

/** The type of an option's value, or of its items; undefined for an option that there is not. */
export function optionType(name: string): "integer" | "float" | "boolean" | "strings" | undefined {
  if (Object.hasOwn(integers, name)) return "integer";
  if (Object.hasOwn(floats, name)) return "float";
  if (name === "use_mmap") return "boolean";
  return name === "stop" ? "strings" : undefined;
}

export interface ModelOptions extends Sampling {
  /** Tokens of the window as asked for; undefined: the default of the model. */
  readonly num_ctx: number | undefined;
  readonly num_batch: number | undefined;
  readonly num_gpu: number;
  readonly num_thread: number;
  readonly use_mmap: boolean | undefined;
  readonly num_keep: number;
  readonly num_predict: number;
  /** Tokens to guess ahead at a time; undefined or negative: the engine decides. */
  readonly draft_num_predict: number | undefined;
  readonly stop: readonly string[];
}

/** Raw options by name; `null` means "not given". */
export type RawOptions = Readonly<Record<string, unknown>>;

/** A wrong type is 500 in Ollama's API, not 400. */
const wrongType = (name: string, type: string) => new OllamaError(500, `option "${name}" must be ${type}`);

/** The engine's integers have 32 bits; a seed is taken as it is. */
const mostOf = (name: string) => (name === "seed" ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1);

/** Values beyond the engine's are the nearest that it takes. */
function readNumber(name: string, value: unknown, isInteger: boolean): number {
  // JSON.parse takes 1e999 for Infinity.
  if (typeof value !== "number" || !Number.isFinite(value))
    throw wrongType(name, isInteger ? "of type integer" : "of type float32");
  const most = isInteger ? mostOf(name) : largestFloat;
  const bounded = Math.min(Math.max(value, -most), most);
  return isInteger ? Math.trunc(bounded) : bounded;
}

/** The engine searches the text of each token for all of them, and has other requests wait. Our choice. */
const [mostStops, mostStopBytes] = [256, 64 * 1024];

/** `stop_sequences` is the name in Anthropic's API. */
function checkStops(stops: readonly string[]): void {
  if (stops.length > mostStops || Buffer.byteLength(stops.join("")) > mostStopBytes)
    throw new OllamaError(
      400,
      `option "stop" (stop_sequences) must have at most ${String(mostStops)} texts, of ${String(mostStopBytes)} bytes in all`,
    );
}

function readStop(value: unknown): string[] {
  if (!Array.isArray(value)) throw wrongType("stop", "of type array");
  if (!value.every((item) => typeof item === "string")) throw wrongType("stop", "of an array of strings");
  const stops = value.filter((item) => item !== "");
  checkStops(stops);
  return stops;
}

/**
 * Merges options, the later over the earlier ones and all over the defaults; unknown ones are ignored.
 * @throws OllamaError that names the option: 500 for a wrong type, 400 for too many texts to stop at.
 */
export function resolveOptions(...layers: readonly (RawOptions | undefined)[]): ModelOptions {
  const given: Record<string, unknown> = {};
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer ?? {}))
      if (value !== null && value !== undefined) given[name] = value;

  const integer = <Name extends keyof typeof integers>(name: Name) =>
    given[name] === undefined ? integers[name] : readNumber(name, given[name], true);
  const float = (name: keyof typeof floats) =>
    given[name] === undefined ? floats[name] : readNumber(name, given[name], false);
  // Accepted for their type only: nothing that we run has a use for them.
  integer("main_gpu");
  float("typical_p");
  const mmap = given["use_mmap"];
  if (mmap !== undefined && typeof mmap !== "boolean") throw wrongType("use_mmap", "of type boolean");
  return {
    num_ctx: integer("num_ctx"),
    num_batch: integer("num_batch"),
    num_gpu: integer("num_gpu"),
    num_thread: integer("num_thread"),
    use_mmap: mmap,
    num_keep: integer("num_keep"),
    num_predict: integer("num_predict"),
    draft_num_predict: integer("draft_num_predict"),
    stop: given["stop"] === undefined ? [] : readStop(given["stop"]),
    temperature: float("temperature"),
    top_k: integer("top_k"),
    top_p: float("top_p"),
    min_p: float("min_p"),
    seed: integer("seed"),
    repeat_last_n: integer("repeat_last_n"),
    repeat_penalty: float("repeat_penalty"),
    presence_penalty: float("presence_penalty"),
    frequency_penalty: float("frequency_penalty"),
  };
}

/** The window when nobody asks for one: this, or what the model was trained on if that is less. */
const defaultContext = 4096;
const smallestContext = 4;

/** Tokens of the window for a model trained on `trained` (undefined: not known). */
export function windowFor(asked: number | undefined, trained: number | undefined): number {
  const wanted = asked === undefined || asked <= 0 ? defaultContext : Math.max(smallestContext, asked);
  return Math.min(wanted, trained ?? wanted);
}

/** The part that decides how the next token is chosen. */
export const samplingOf = (options: ModelOptions): Sampling => ({
  temperature: options.temperature,
  top_k: options.top_k,
  top_p: options.top_p,
  min_p: options.min_p,
  seed: options.seed,
  repeat_last_n: options.repeat_last_n,
  repeat_penalty: options.repeat_penalty,
  presence_penalty: options.presence_penalty,
  frequency_penalty: options.frequency_penalty,
});
