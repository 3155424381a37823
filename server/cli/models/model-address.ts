import type { Settings } from "../../contract/process/settings.ts";
import { findHearths } from "../find-hearth.ts";

const defaultPort = 11_434;

/** Reads a base URL from OLLAMA_HOST: `[scheme://]host[:port]`; undefined for an invalid value. */
export function urlOfOllamaHost(value: string | undefined): string | undefined {
  const text = (value ?? "").trim().replace(/^["']|["']$/g, "");
  if (text === "") return undefined;
  const [, scheme, rest = ""] = /^(https?):\/\/(.*)$/i.exec(text) ?? [undefined, undefined, text];
  const [authority = ""] = rest.split("/", 1);
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [];
  // A server that listens on every address is reached on the local one.
  const reachable = host === "" || host === "0.0.0.0" ? "127.0.0.1" : host === "[::]" ? "[::1]" : host;
  const standardPort = scheme === undefined ? defaultPort : scheme.toLowerCase() === "https" ? 443 : 80;
  const url = `${scheme ?? "http"}://${reachable}:${port ?? String(standardPort)}`;
  return URL.canParse(url) ? url : undefined;
}

/**
 * The address of the model service: at the named port, by OLLAMA_HOST, that of the only running Hearth, or at the
 * default port. `named`: a flag or variable names the port.
 */
export async function findModelService(settings: Settings, named: boolean, env: NodeJS.ProcessEnv): Promise<string> {
  const local = `http://127.0.0.1:${String(settings.model_port)}`;
  if (named) return local;
  const fromEnv = urlOfOllamaHost(env["OLLAMA_HOST"]);
  if (fromEnv !== undefined) return fromEnv;
  const [one, ...others] = await findHearths(settings.data_dir, env).catch(() => []);
  return (others.length === 0 ? one?.urls?.["model"] : undefined) ?? local;
}
