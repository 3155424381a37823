/** Ollama's options from a request of OpenAI's format. */
import { OllamaError } from "../../../ollama-error.ts";
import type { RawOptions } from "../../../options/model-options.ts";
import { definedMembers, givenTexts } from "../../json-value.ts";

interface SamplingFields {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop?: unknown;
  readonly frequency_penalty?: number | undefined;
  readonly presence_penalty?: number | undefined;
  readonly num_ctx?: number | undefined;
  readonly options?: RawOptions | undefined;
}

function stopTexts(stop: unknown): readonly string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const texts: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!texts.every((text) => typeof text === "string"))
    throw new OllamaError(400, "invalid stop: expected a string or an array of strings");
  return givenTexts(texts);
}

/**
 * Fields of the request override its `options`, both override `defaults`, and these the model's own parameters.
 * @throws OllamaError 400
 */
export const optionsOf = (body: SamplingFields, numPredict: number | undefined, defaults: RawOptions): RawOptions => ({
  ...defaults,
  ...definedMembers(body.options ?? {}),
  ...definedMembers({
    num_ctx: body.num_ctx,
    num_predict: numPredict,
    temperature: body.temperature,
    top_p: body.top_p,
    seed: body.seed,
    stop: stopTexts(body.stop),
    frequency_penalty: body.frequency_penalty,
    presence_penalty: body.presence_penalty,
  }),
});
