/**
 * Names of models: `[scheme://][host/][namespace/]model[:tag]`, as in Ollama (contract: ollama, Model names). Case is
 * kept, and ignored in comparisons.
 */
import { hash } from "node:crypto";

export interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

export const defaultHost = "registry.ollama.ai";
const defaultNamespace = "library";
const defaultTag = "latest";

const hostPattern = /^\w[\w.:-]{0,349}$/;
const namespacePattern = /^\w[\w-]{0,79}$/;
/** Models and tags. */
const partPattern = /^\w[\w.-]{0,79}$/;

/** Parses a name and adds the defaults; undefined when any part is invalid. */
export function parseModelName(text: string): ModelName | undefined {
  const path = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  // A colon before the last slash belongs to the host's port.
  const colon = path.indexOf(":", path.lastIndexOf("/") + 1);
  const tag = colon < 0 ? defaultTag : path.slice(colon + 1);
  const parts = (colon < 0 ? path : path.slice(0, colon)).split("/");
  if (parts.length > 3) return undefined;
  const [model = "", namespace = defaultNamespace, host = defaultHost] = parts.toReversed();
  const valid =
    partPattern.test(model) && partPattern.test(tag) && namespacePattern.test(namespace) && hostPattern.test(host);
  return valid ? { host, namespace, model, tag } : undefined;
}

/** The name of a model here, as clients send it: a suffix ":local" changes nothing. */
export const parseSentName = (sent: string) => parseModelName(sent.replace(/:local$/i, ""));

/** `host/namespace/model:tag`. */
export const fullName = ({ host, namespace, model, tag }: ModelName) => `${host}/${namespace}/${model}:${tag}`;

/** The name in lists: without default host and namespace, always with the tag. */
export function shortName({ host, namespace, model, tag }: ModelName): string {
  const name = `${model}:${tag}`;
  if (host !== defaultHost) return `${host}/${namespace}/${name}`;
  return namespace === defaultNamespace ? name : `${namespace}/${name}`;
}

/** Two names with the same key are the same model. */
export const nameKey = (name: ModelName) => fullName(name).toLowerCase();

/** Whether two texts name the same model, with or without defaults; other texts are compared as they are. */
export function isSameName(a: string, b: string): boolean {
  const [first, second] = [parseModelName(a), parseModelName(b)];
  return a === b || (first !== undefined && second !== undefined && nameKey(first) === nameKey(second));
}

const longest = 80;
/** The endings of files that are models. */
export const modelEnding = /\.(?:gguf|rules\.(?:ya?ml|json))$/i;

/** The characters of a text that a name may have, with a mark by which names of different texts differ. */
function markedName(text: string): string {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const words = bare.split(/[^\w.]+/).filter((word) => word !== "");
  // The same name is spelled in two ways, by the system of the file.
  const mark = `-${hash("sha256", text.normalize("NFC")).slice(0, 6)}`;
  return (words.join("-") || "model").slice(0, longest - mark.length) + mark;
}

/**
 * The name of a file as a model: the file's name without its ending, with invalid characters replaced by "-" (our
 * choice; Ollama cannot serve a plain file). One in other letters than ASCII's, or a long one, ends with a mark: little may
 * be left of it. So does one that is `isTaken` without it.
 */
export function nameOfFile(fileName: string, isTaken = false): ModelName {
  const text = fileName.replace(modelEnding, "");
  const isKept = !isTaken && text.length <= longest && /^\p{ASCII}*$/u.test(text);
  const model = (isKept ? text.replace(/[^\w.-]/g, "-") : markedName(text)).replace(/^[.-]/, "_");
  return { host: defaultHost, namespace: defaultNamespace, model: model === "" ? "_" : model, tag: defaultTag };
}
