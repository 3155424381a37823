import { upstreamUrl } from "../../../contract/process/upstream-setting.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { RemoteTarget } from "./installed-model.ts";

/**
 * Reads `http://host:port#model`, a model at an upstream. No name of a model and no file of Ollama's has a `#` after a
 * scheme. Undefined for any other text.
 * @throws OllamaError 400 for a URL that cannot be an upstream's
 */
export function parseReference(text: string): RemoteTarget | undefined {
  const [, address, model] = /^(https?:\/\/[^#]*)#(.*)$/is.exec(text.trim()) ?? [];
  if (address === undefined || model === undefined) return undefined;
  return remoteTarget(address, model);
}

/** @throws OllamaError 400 */
export function remoteTarget(address: string, model: string): RemoteTarget {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new OllamaError(400, `${JSON.stringify(address)} is not an upstream: use http://host:port#model`);
  if (model.trim() === "") throw new OllamaError(400, `${address} names no model: use http://host:port#model`);
  return { url: upstreamUrl(url), model: model.trim() };
}

export const referenceOf = ({ url, model }: RemoteTarget) => `${url}#${model}`;
