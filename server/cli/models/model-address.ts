import { isIPv6 } from "node:net";
import type { Settings } from "../../contract/process/settings.ts";
import { trimEndOf } from "../../contract/trim-end-of.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { findHearths } from "../find-hearth.ts";

const defaultPort = 11_434;

const isPort = (text: string) => /^\d+$/.test(text) && Number(text) <= 65_535;

/**
 * Reads a base URL from OLLAMA_HOST like Ollama: `[scheme://]host[:port][/path]`, without an invalid port.
 * @throws SettingsError without a host; the message does not quote the value, which may contain a password
 */
export function urlOfOllamaHost(value: string | undefined): string | undefined {
  const text = (value ?? "").trim().replace(/^["']|["']$/g, "");
  if (text === "") return undefined;
  const [, scheme, rest = ""] = /^(?:([a-z]+):\/\/)?(.*)$/i.exec(text) ?? [];
  const [authority = "", ...path] = rest.split("/");
  const [, host, port = ""] = isIPv6(authority)
    ? [authority, `[${authority}]`]
    : (/^(\[[^\]@]*\]|[^:@]*)(?::([^:@]*))?$/.exec(authority) ?? []);
  // A server that listens on every address is reached on the local one.
  const reachable = host === "" || host === "0.0.0.0" ? "127.0.0.1" : host === "[::]" ? "[::1]" : host;
  const standardPort = scheme === undefined ? defaultPort : scheme.toLowerCase() === "https" ? 443 : 80;
  const url = `${scheme ?? "http"}://${String(reachable)}:${isPort(port) ? port : String(standardPort)}`;
  if (host === undefined || !/^https?:/i.test(url) || !URL.canParse(url))
    throw new SettingsError("OLLAMA_HOST has no host; write it as [scheme://]host[:port][/path]");
  return trimEndOf([url, ...path].join("/"), "/");
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
