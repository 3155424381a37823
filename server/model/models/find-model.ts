import type { InstalledModel, Library } from "./library/library.ts";
import { parseSentName, shortName, type ModelName } from "./library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";

/** The message for a missing model; `sent` is the name as the client wrote it. */
export type UnknownText = (sent: string, name: ModelName) => string;
export const unknownAsSent = (sent: string) => `model '${sent}' not found`;
export const unknownToPull = (sent: string) => `model ${JSON.stringify(sent)} not found, try pulling it first`;
export const unknownWithTag: UnknownText = (_sent, name) => unknownAsSent(shortName(name));

/** `advice`: what to do instead. */
export const notOurs = (sent: string, { path }: InstalledModel, advice: string) =>
  new OllamaError(403, `model '${sent}' is served from ${path}, which this server must not change: ${advice}`);

/** @throws OllamaError 403 for the name of a file of the setting `model`, beside which nothing of that name is served */
export async function checkNotFixed(library: Library, name: ModelName): Promise<void> {
  const model = await library.fixed(name);
  if (model !== undefined) throw notOurs(shortName(name), model, "use another name");
}

/**
 * The installed model of this name, runnable or not. A suffix ":local" changes nothing here; ":cloud" matches no model.
 * @throws OllamaError 400 for an invalid name, 404 for a model that is not installed.
 */
export async function findInstalled(library: Library, sent: string, unknown: UnknownText): Promise<InstalledModel> {
  const isLocal = /:local\b/i.test(sent);
  if (isLocal && /[:-]cloud\b/i.test(sent))
    throw new OllamaError(400, `use either :local or :cloud, not both: ${JSON.stringify(sent)}`);
  const name = parseSentName(sent);
  if (name === undefined) throw new OllamaError(400, "invalid model name");
  const model = await library.find(name);
  if (model === undefined) throw new OllamaError(404, unknown(sent, name));
  return model;
}

/**
 * The model of this name, which must be runnable.
 * @throws OllamaError 400 for an invalid name or a model that cannot run, 404 for one that is not installed.
 */
export async function findModel(library: Library, sent: string, unknown: UnknownText): Promise<InstalledModel> {
  const model = await findInstalled(library, sent, unknown);
  if (model.unrunnable !== undefined) throw new OllamaError(400, `"${sent}" cannot be run: ${model.unrunnable}`);
  return model;
}
