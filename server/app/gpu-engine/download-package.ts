/** Downloads one of the engine's packages, from where an earlier download was broken off, and compares it with its digest. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { renameFile } from "../../file-system/rename-file.ts";
import { engineVersion, type EnginePackage } from "../../contract/model/gpu-engine.ts";
import { firstByteOf, isOfUnknownLength } from "../../http/outgoing/first-byte.ts";
import type { OutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";

export interface DownloadOptions {
  readonly outgoing: Pick<OutgoingRequests, "begin">;
  /** The base URL of npm's registry, or of a mirror. */
  readonly registry: string;
  /** Path for the archive; a shorter file there is an earlier, broken-off download. */
  readonly file: string;
  /** Called with the number of bytes that have arrived. */
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** A server that accepts and then sends nothing. */
const silentMs = 30_000;
/** Mirrors redirect to the servers that hold the files. */
const mostRedirects = 5;

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** @throws Error that names the host: the system's, or for a redirect without end */
async function ask(from: URL, begins: number, { outgoing, signal }: DownloadOptions): Promise<IncomingMessage> {
  let url = from;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const range = begins > 0 ? { Range: `bytes=${String(begins)}-` } : {};
    const request = await outgoing.begin("here", url, { headers: { "User-Agent": "hearth", ...range }, signal });
    // Errors reject the wait for the reply, or destroy the reply. A request that is cancelled as it begins has no listener.
    request.on("error", () => undefined);
    request.setTimeout(silentMs, () => request.destroy(new Error(`${url.host} does not respond`)));
    request.end();
    const [reply] = (await once(request, "response", { signal })) as [IncomingMessage];
    const next = reply.headers.location === undefined ? null : URL.parse(reply.headers.location, url.href);
    if (Math.floor((reply.statusCode ?? 0) / 100) !== 3 || next === null) return reply;
    reply.destroy();
    url = next;
  }
  throw new Error(`${from.host} redirects more than ${String(mostRedirects)} times`);
}

async function integrityOf(file: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest("base64")}`;
}

/**
 * Downloads the archive of a package into `file`. A broken-off archive stays, so that the next call continues it. An archive
 * with another integrity is deleted.
 * @throws Error in words for a person; the signal's reason when aborted
 */
export async function downloadPackage(
  { name, integrity, bytes }: EnginePackage,
  options: DownloadOptions,
): Promise<void> {
  const { registry, file, onProgress, signal } = options;
  const url = new URL(`${registry}/@node-llama-cpp/${name}/-/${name}-${engineVersion}.tgz`);
  const before = await sizeOf(file);
  if (before < bytes) {
    const reply = await ask(url, before, options);
    // A server that knows no ranges sends it from the beginning.
    const first = firstByteOf(reply, bytes);
    const isForeign = () =>
      new Error(`${url.host} returned ${String(reply.statusCode)} without the expected bytes of ${name}`);
    if (first !== 0 && first !== before) {
      reply.destroy();
      throw isForeign();
    }
    let there = first;
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        there += chunk.length;
        if (there > bytes) throw new Error(`${name} is larger than the expected ${String(bytes)} bytes`);
        yield chunk;
        onProgress(there);
      }
    };
    // A download from the beginning, or one that may be a page, replaces the kept bytes only once it is complete.
    const isApart = first !== before || isOfUnknownLength(reply);
    const target = isApart ? `${file}.whole` : file;
    try {
      await pipeline(reply, counted, createWriteStream(target, { flags: isApart ? "w" : "a" }), { signal });
      if (isApart && there < bytes) throw isForeign();
      if (isApart) await renameFile(target, file);
    } catch (error) {
      if (isApart) await rm(target, { force: true });
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
      throw new Error(`${url.host} ended the download of ${name} early`, { cause: error });
    }
  }
  const found = await integrityOf(file);
  if (found === integrity) return;
  await rm(file, { force: true });
  throw new Error(`${name} from ${url.host} has the wrong integrity ${found}`);
}
