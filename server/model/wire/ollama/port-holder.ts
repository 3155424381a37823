/** Who holds the port that the model service wants: an Ollama there is used instead of our own service. */
import { httpUrl, ownUrl } from "../../../contract/own-url.ts";

/** The reply of `GET /`, as Ollama has it. */
export const greeting = "Ollama is running";
/** The header `Server` beside it, which Ollama does not send. */
export const serverName = "Hearth";

const patienceMs = 5_000;
/** Shorter than the supervisor waits for the answer to a health check. */
const checkPatienceMs = 2_000;

/** A program that answers as an Ollama does. */
interface PortHolder {
  readonly program: "Ollama" | typeof serverName;
  readonly url: string;
}

/** @throws Error where nothing answers */
async function programAt(url: string, withinMs: number): Promise<PortHolder["program"] | undefined> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(withinMs), redirect: "error" });
  if (!reply.ok || (await reply.text()).trim() !== greeting) return undefined;
  return reply.headers.get("server") === serverName ? serverName : "Ollama";
}

/** Who holds the port; undefined for any other program. */
export async function portHolder(host: string, port: number): Promise<PortHolder | undefined> {
  for (const url of new Set([ownUrl(host, port), httpUrl(host, port)])) {
    const program = await programAt(url, patienceMs).catch(() => undefined);
    if (program !== undefined) return { program, url };
  }
  return undefined;
}

/** Whether the Ollama is gone from there. One that is only slow is not. */
export async function hasLeft(url: string): Promise<boolean> {
  try {
    return (await programAt(url, checkPatienceMs)) !== "Ollama";
  } catch (error) {
    return (error as Error).name !== "TimeoutError";
  }
}
