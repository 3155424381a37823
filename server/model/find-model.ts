import type { InstalledModel, Library } from "./library/library.ts";
import { parseModelName, shortName, type ModelName } from "./library/model-name.ts";
import { OllamaError } from "./ollama-error.ts";

/** What to say of a model that is not there; `sent` is what the client wrote. */
export type UnknownText = (sent: string, name: ModelName) => string;
export const unknownAsSent: UnknownText = (sent) => `model '${sent}' not found`;
export const unknownToPull: UnknownText = (sent) => `model ${JSON.stringify(sent)} not found, try pulling it first`;
export const unknownWithTag: UnknownText = (_sent, name) => `model '${shortName(name)}' not found`;

/**
 * The installed model of this name, whether or not it can be run. A suffix ":local" changes nothing here; ":cloud" names nothing that we have.
 * @throws OllamaError 400 for a name that cannot be one, 404 for a model that is not installed.
 */
export async function findInstalled(library: Library, sent: string, unknown: UnknownText): Promise<InstalledModel> {
  const isLocal = /:local\b/i.test(sent);
  if (isLocal && /[:-]cloud\b/i.test(sent))
    throw new OllamaError(400, `use either :local or :cloud, not both: ${JSON.stringify(sent)}`);
  const name = parseModelName(sent.replace(/:local$/i, ""));
  if (name === undefined) throw new OllamaError(400, "invalid model name");
  const model = await library.find(name);
  if (model === undefined) throw new OllamaError(404, unknown(sent, name));
  return model;
}

/**
 * The model of this name, to be run.
 * @throws OllamaError 400 for a name that cannot be one or a model that cannot be run, 404 for one that is not installed.
 */
export async function findModel(library: Library, sent: string, unknown: UnknownText): Promise<InstalledModel> {
  const model = await findInstalled(library, sent, unknown);
  if (model.unrunnable !== undefined) throw new OllamaError(400, `"${sent}" cannot be run: ${model.unrunnable}`);
  return model;
}
