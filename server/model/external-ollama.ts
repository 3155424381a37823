import { httpUrl, ownUrl } from "../contract/own-url.ts";

const patienceMs = 5_000;

/** Base URL of a genuine Ollama on the port that we want; undefined for any other program. */
export async function externalOllama(host: string, port: number): Promise<string | undefined> {
  for (const url of new Set([ownUrl(host, port), httpUrl(host, port)])) if (await isOllama(url)) return url;
  return undefined;
}

async function isOllama(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: "error" });
    return reply.ok && (await reply.text()).trim() === "Ollama is running";
  } catch {
    return false;
  }
}
