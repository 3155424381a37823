/**
 * A client of one registry: manifests and addresses of blobs. It follows redirects itself, so that no secret reaches
 * another host.
 */
import type { IncomingMessage } from "node:http";
import { firstByteOf, isOfUnknownLength } from "../../../http/outgoing/first-byte.ts";
import { readReply } from "../../../http/outgoing/read-reply.ts";
import { retryAfterMs } from "../../../http/outgoing/retry-after.ts";
import { manifestType, maxManifestBytes, type Digest } from "../library/manifest.ts";
import type { ModelName } from "../library/model-name.ts";
import { answerChallenge, isSameRegistry, type TokenDeps } from "./registry-auth.ts";
import { FatalTransferError, RegistryError } from "./registry-error.ts";
import type { Transport } from "./transport.ts";

/** The address of a blob's bytes. Redirected addresses expire. */
export interface BlobPlace {
  readonly url: URL;
  /** Bytes of the blob. */
  readonly size: number;
  /** Whether it supports ranges. */
  readonly ranges: boolean;
}

export interface RegistryClient {
  /** The manifest's bytes as the registry has them. @throws RegistryError */
  manifest(signal: AbortSignal): Promise<Buffer>;
  /** @throws RegistryError, FatalTransferError when it does not have `size` bytes */
  placeOf(digest: Digest, size: number, signal: AbortSignal): Promise<BlobPlace>;
  /**
   * The reply to a request for the bytes from `start` to `end`, inclusive: 206, or 200 with all bytes.
   * @throws RegistryError when it has other bytes
   */
  open(place: BlobPlace, start: number, end: number, signal: AbortSignal): Promise<IncomingMessage>;
}

export interface RegistryTarget {
  /** The registry's origin, with a folder of it where it has names below one. */
  readonly base: URL;
  readonly name: ModelName;
}

const maxRedirects = 10;
const maxErrorBytes = 64 * 1024;
const redirectStatuses = [301, 302, 303, 307, 308];

/** @throws RegistryError with the contract's text for a status that brings nothing of what was asked for */
async function checkStatus(reply: IncomingMessage, { quote }: Transport): Promise<void> {
  const status = reply.statusCode ?? 500;
  if (status === 200 || status === 206) return;
  const body = await readReply(reply, maxErrorBytes).catch(() => Buffer.alloc(0));
  if (status === 404) throw new RegistryError(404, "file does not exist");
  throw new RegistryError(status, `${String(status)}: ${quote(body.toString("utf8"))}`, retryAfterMs(reply));
}

/** The whole size by the reply to a range request, for a person. */
const wholeSize = ({ headers }: IncomingMessage) =>
  /(?<!\d)\d+$/.exec(headers["content-range"] ?? headers["content-length"] ?? "")?.[0] ?? "an unknown number of";

export function createRegistryClient(deps: TokenDeps, { base, name }: RegistryTarget): RegistryClient {
  const origin = new URL(base.origin);
  const folder = base.pathname === "/" ? "" : base.pathname;
  const repository = new URL(`/v2${folder}/${name.namespace}/${name.model}/`, origin);
  let authorization = deps.credentials.get(origin.host);

  /** Credentials go only to the registry itself, and never unencrypted if the registry was addressed by HTTPS. */
  const mayKnow = (url: URL) =>
    isSameRegistry(url.host, origin.host) && (url.protocol === "https:" || origin.protocol === "http:");

  async function get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const own = mayKnow(url);
    const send = () =>
      deps.transport.get(
        url,
        { ...headers, ...(own && authorization !== undefined && { Authorization: authorization }) },
        signal,
      );
    const reply = await send();
    if (reply.statusCode !== 401 || !own) return reply;
    reply.resume();
    const answer = { origin, header: reply.headers["www-authenticate"], signal };
    authorization = (await answerChallenge(deps, answer)) ?? authorization;
    return send();
  }

  async function follow(url: URL, headers: Record<string, string>, signal: AbortSignal) {
    let at = url;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const reply = await get(at, headers, signal);
      const { location } = reply.headers;
      if (!redirectStatuses.includes(reply.statusCode ?? 0) || location === undefined) {
        await checkStatus(reply, deps.transport);
        return { reply, url: at };
      }
      reply.resume();
      if (!URL.canParse(location, at.href)) throw new FatalTransferError(`${at.host} redirects without an address`);
      const next = new URL(location, at);
      if (!/^https?:$/.test(next.protocol)) throw new FatalTransferError(`${at.host} redirects to ${next.protocol}`);
      at = next;
    }
    throw new FatalTransferError(`${url.host} redirects too often`);
  }

  return {
    async manifest(signal) {
      const url = new URL(`manifests/${name.tag}`, repository);
      const { reply } = await follow(url, { Accept: manifestType }, signal);
      return readReply(reply, maxManifestBytes).catch((error: unknown) => {
        throw error instanceof RangeError ? new FatalTransferError(error.message) : error;
      });
    },
    async placeOf(digest, size, signal) {
      const { reply, url } = await follow(new URL(`blobs/${digest}`, repository), { Range: "bytes=0-0" }, signal);
      reply.destroy();
      if (firstByteOf(reply, size) !== 0)
        throw new FatalTransferError(
          `${String(reply.statusCode)}: ${digest} has ${wholeSize(reply)} bytes at the registry, but its manifest says ${String(size)}`,
        );
      return { url, size, ranges: reply.statusCode === 206 };
    },
    async open({ url, size, ranges }, start, end, signal) {
      const headers: Record<string, string> = ranges ? { Range: `bytes=${String(start)}-${String(end)}` } : {};
      const reply = await get(url, headers, signal);
      await checkStatus(reply, deps.transport);
      const { statusCode: status = 500 } = reply;
      // Where the address has answered with a range before, a body of unknown length is something else.
      const isDoubtful = ranges && isOfUnknownLength(reply);
      if (isDoubtful || firstByteOf(reply, size) !== (status === 206 ? start : 0)) {
        reply.destroy();
        throw new RegistryError(status, `${String(status)}: the registry sent the wrong range of bytes`);
      }
      return reply;
    },
  };
}
