import type { ModelOptions } from "../../../../contract/model/model-options.ts";
import type { OpenAiOptions } from "../../../../contract/model/openai.ts";
import { OllamaError } from "../../../ollama-error.ts";
import type { RawOptions } from "../../../options/model-options.ts";
import { read } from "../../field-refusal.ts";
import { definedMembers, givenTexts } from "../../json-value.ts";

/** Ollama's name of each option in a request of OpenAI's format. An option without one does not compile. */
const names = {
  num_ctx: "num_ctx",
  temperature: "temperature",
  top_p: "top_p",
  seed: "seed",
  stop: "stop",
  frequency_penalty: "frequency_penalty",
  presence_penalty: "presence_penalty",
} satisfies Readonly<Record<keyof OpenAiOptions, keyof ModelOptions>>;

/** The members that `readOptions` and the routes read for the model, and those of `names`. */
export const modelMembers = read("model", "keep_alive", "num_ctx", "options");
export const optionMembers = read(...(Object.keys(names) as (keyof typeof names)[]));

function stopTexts(stop: unknown): readonly string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const texts: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!texts.every((text) => typeof text === "string"))
    throw new OllamaError(400, "invalid stop: expected a string or an array of strings");
  return givenTexts(texts);
}

/**
 * Reads the options of a request: its fields override its `options`, both override `defaults`, and these the model's own
 * parameters.
 * @throws OllamaError 400
 */
export function readOptions(
  body: Partial<OpenAiOptions> & { readonly options?: RawOptions | undefined },
  numPredict: number | undefined,
  defaults: RawOptions,
): RawOptions {
  const values = { ...body, stop: stopTexts(body.stop) };
  const fields = Object.entries(names).map(([name, option]) => [option, values[name as keyof typeof names]] as const);
  return {
    ...defaults,
    ...definedMembers(body.options ?? {}),
    ...definedMembers({ num_predict: numPredict, ...Object.fromEntries(fields) }),
  };
}
