/**
 * The `options` of a request: types, defaults, and what they mean for loading and for generating (contract: ollama,
 * Options).
 */
import {
  modelOptions,
  samplingNames,
  type ModelOptions,
  type OptionName,
  type OptionType,
  type Sampling,
} from "../../contract/model/model-options.ts";
import { OllamaError } from "../ollama-error.ts";

/** Options of older versions, which clients still send: without effect now. */
export const retiredOptions: ReadonlySet<string> = new Set(
  "mirostat mirostat_tau mirostat_eta tfs_z penalize_newline low_vram f16_kv vocab_only use_mlock numa logits_all".split(
    " ",
  ),
);

/** The largest number of 32 bits. */
const largestFloat = 3.4028234663852886e38;

const isOption = (name: string): name is OptionName => Object.hasOwn(modelOptions, name);

/** The type of an option's value, or of its items; undefined for an option that there is not. */
export const optionType = (name: string): OptionType | undefined =>
  isOption(name) ? modelOptions[name].type : undefined;

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

function readBoolean(name: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrongType(name, "of type boolean");
  return value;
}

const readers: Readonly<Record<OptionType, (name: string, value: unknown) => unknown>> = {
  integer: (name, value) => readNumber(name, value, true),
  float: (name, value) => readNumber(name, value, false),
  boolean: readBoolean,
  strings: (_name, value) => readStop(value),
};

/**
 * Merges options, the later over the earlier ones and all over the defaults; unknown ones are ignored.
 * @throws OllamaError that names the option: 500 for a wrong type, 400 for too many texts to stop at.
 */
export function resolveOptions(...layers: readonly (RawOptions | undefined)[]): ModelOptions {
  const set: Record<string, unknown> = {};
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer ?? {}))
      if (value !== null && value !== undefined) set[name] = value;
  const resolved = Object.entries(modelOptions).map(([name, spec]) => [
    name,
    set[name] === undefined ? spec.default : readers[spec.type](name, set[name]),
  ]);
  return Object.fromEntries(resolved) as ModelOptions;
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
export const samplingOf = (options: ModelOptions): Sampling =>
  Object.fromEntries(samplingNames.map((name) => [name, options[name]])) as Sampling;
