import { urlOf } from "../http/addresses.ts";

const patienceMs = 2_000;

/** Base URL of a genuine Ollama that holds the port; undefined when somebody else does. */
export async function externalOllama(host: string, port: number): Promise<string | undefined> {
  const url = urlOf(host, port);
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: "error" });
    return reply.ok && (await reply.text()).trim() === "Ollama is running" ? url : undefined;
  } catch {
    return undefined;
  }
}
