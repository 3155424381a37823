/** The layers of a create request, which extend or replace those of its base. */
import { TemplateError, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { OllamaMessage } from "../../../contract/model/ollama.ts";
import { layerTypes, type Layer } from "../library/manifest.ts";
import type { DraftWrites } from "../library/draft-writes.ts";
import { OllamaError } from "../../ollama-error.ts";
import { unknownFamily } from "../library/named-families.ts";
import { textMessage } from "../library/stored-model.ts";
import { optionType, resolveOptions, retiredOptions, type RawOptions } from "../../options/model-options.ts";

/** The members of a Modelfile beside its FROM. */
export interface ModelTexts {
  readonly template?: string | undefined;
  readonly system?: string | undefined;
  readonly renderer?: string | undefined;
  readonly parser?: string | undefined;
  readonly parameters?: RawOptions | undefined;
  readonly messages?: readonly OllamaMessage[] | undefined;
  readonly licenses: readonly string[];
}

/** A layer and whether its blob existed before. */
export interface AddedLayer {
  readonly layer: Layer;
  readonly existed: boolean;
}

/** @throws OllamaError 400 for a template that nothing here can run */
async function checkTemplate(template: string, renderer: Pick<TemplateRenderer, "check">): Promise<void> {
  await renderer.check(template).catch((error: unknown) => {
    if (!(error instanceof TemplateError)) throw error;
    throw new OllamaError(400, `template error: ${error.message}`, error);
  });
}

/** Only the text of a model's own message reaches a prompt. */
const hasMoreThanText = ({ content, images, tool_calls: calls }: OllamaMessage) =>
  isGiven(images) || isGiven(calls) || (Array.isArray(content) && content.some(({ type }) => type !== "text"));

const roles = ["system", "user", "assistant"];

/** @throws OllamaError 400 */
export async function checkTexts(
  { template, parameters, messages, ...families }: ModelTexts,
  renderer: Pick<TemplateRenderer, "check">,
): Promise<void> {
  if (template !== undefined && isGiven(template)) await checkTemplate(template, renderer);
  const unknown = unknownFamily(families);
  if (unknown !== undefined) throw new OllamaError(400, unknown);
  if (messages?.some(({ role }) => !roles.includes(role)) === true)
    throw new OllamaError(400, 'message role must be one of "system", "user", or "assistant"');
  if (messages?.some(hasMoreThanText) === true)
    throw new OllamaError(400, "a message of a model can have text only: no images, no tool_calls, no other parts");
  for (const name of Object.keys(listed(parameters ?? {})))
    if (optionType(name) === undefined) throw new OllamaError(400, `unknown parameter '${name}'`);
  try {
    resolveOptions(listed(parameters ?? {}));
  } catch (error) {
    throw new OllamaError(400, (error as Error).message, error);
  }
}

/** Without what is null, which is absent, and without what has no effect any more. Some clients send a single stop text instead of a list. */
function listed(parameters: RawOptions): RawOptions {
  const kept = Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) => value !== null && !retiredOptions.has(name)),
  ) as RawOptions;
  const { stop } = kept;
  return typeof stop === "string" ? { ...kept, stop: [stop] } : kept;
}

/** Clients send each field of a form: what is empty is absent, as with Ollama, and leaves that of the base. */
const isGiven = (text: { readonly length: number } | undefined) => text !== undefined && text.length > 0;

/** Layers of the base that remain beside the new ones. */
export function keptLayers(base: readonly Layer[], { template, system, messages }: ModelTexts): Layer[] {
  const replaced = new Set<string>([
    layerTypes.params,
    ...(isGiven(template) ? [layerTypes.template, layerTypes.prompt] : []),
    ...(isGiven(system) ? [layerTypes.system] : []),
    ...(isGiven(messages) ? [layerTypes.messages] : []),
  ]);
  return base.filter(({ mediaType }) => !replaced.has(mediaType));
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

export async function addTextLayer(writes: DraftWrites, mediaType: string, text: string): Promise<AddedLayer> {
  const { digest, size, existed } = await writes.putBlob(once(text));
  return { layer: { mediaType, digest, size }, existed };
}

/** Writes a blob for each text. The new parameters are merged over `baseParameters`. */
export async function* addTextLayers(
  writes: DraftWrites,
  { template, system, parameters, messages, licenses }: ModelTexts,
  baseParameters: RawOptions,
): AsyncGenerator<AddedLayer> {
  if (template !== undefined && isGiven(template)) yield addTextLayer(writes, layerTypes.template, template);
  if (system !== undefined && isGiven(system)) yield addTextLayer(writes, layerTypes.system, system);
  for (const license of licenses) yield addTextLayer(writes, layerTypes.license, license);
  const merged = { ...baseParameters, ...listed(parameters ?? {}) };
  if (Object.keys(merged).length > 0) yield addTextLayer(writes, layerTypes.params, JSON.stringify(merged));
  if (messages !== undefined && isGiven(messages))
    yield addTextLayer(writes, layerTypes.messages, JSON.stringify(messages.map(textMessage)));
}
