/** An upstream: a server that runs models for the model service. Written as a connection string. */

export type UpstreamKind = "ollama" | "openai";

export interface UpstreamOptions {
  /** As messages and the console call it. */
  readonly name: string;
  /** Base URL without a slash at the end; that of OpenAI's API contains its version, such as /v1. */
  readonly url: string;
  readonly kind: UpstreamKind;
  /** Environment variable with the key. */
  readonly keyVariable: string | undefined;
  /** Put before the names of its models. */
  readonly prefix: string;
  /** The only models to serve, by their names there; empty for all of them. */
  readonly models: readonly string[];
}

const parameters = new Set(["kind", "key_env", "prefix", "model"]);

/** By its path: the base URL of OpenAI's API ends in a version. */
const kindOf = ({ pathname }: URL): UpstreamKind => (/\/v\d[^/]*\/?$/.test(pathname) ? "openai" : "ollama");

const withoutEnd = (text: string) => text.replace(/\/$/, "");

/** The base URL as it is compared and stored. */
export const upstreamUrl = ({ origin, pathname }: URL): string => withoutEnd(origin + pathname);

/**
 * Reads `NAME=URL?kind=ollama|openai&key_env=VARIABLE&prefix=TEXT&model=ID`; all but the URL may be absent, and `model`
 * may be there many times.
 * @throws Error that says what is wrong
 */
export function parseUpstream(text: string): UpstreamOptions {
  const [, name, address = ""] = /^(?:([\w.-]+)=)?(.*)$/s.exec(text.trim()) ?? [];
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error("NAME=http://host:port is required");
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    throw new Error("a URL without user, password and # is required; keys belong to key_env or upstream_keys");
  const given = url.searchParams;
  const unknown = [...given.keys()].find((key) => !parameters.has(key));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${[...parameters].join(", ")}`);
  const kind = given.get("kind") ?? kindOf(url);
  if (kind !== "ollama" && kind !== "openai") throw new Error("kind is ollama or openai");
  return {
    name: name ?? url.host,
    url: upstreamUrl(url),
    kind,
    keyVariable: given.get("key_env") ?? undefined,
    prefix: given.get("prefix") ?? "",
    models: given.getAll("model"),
  };
}

/** The first problem of the list; undefined for a valid one. */
export function upstreamsProblem(texts: readonly string[]): string | undefined {
  try {
    const all = texts.map(parseUpstream);
    const twice = (member: "name" | "url") =>
      all.find((one, at) => all.findIndex((other) => other[member] === one[member]) !== at)?.[member];
    const repeated = twice("name") ?? twice("url");
    return repeated === undefined ? undefined : `${repeated} is there twice`;
  } catch (error) {
    return (error as Error).message;
  }
}
