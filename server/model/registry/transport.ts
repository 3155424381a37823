/** GET over HTTP and HTTPS, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, without following redirects. */
import type { IncomingMessage } from "node:http";
import { urlToHttpOptions } from "node:url";
import { keepConnections } from "../../http/connections.ts";

export interface Transport {
  /** The head of the reply; its body is read, or destroyed, by the caller. @throws the system's error, the signal's reason */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

const connectMs = 30_000;

export function createTransport(env: NodeJS.ProcessEnv): Transport {
  const connections = keepConnections({ proxyEnv: env });
  return {
    async get(url, headers, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const sent = connections.request(url.protocol, {
        ...urlToHttpOptions(url),
        headers: { "User-Agent": "hearth", ...headers },
        signal,
      });
      sent.on("response", resolve);
      // A server that accepts and then says nothing.
      sent.setTimeout(connectMs, () => sent.destroy(new Error(`${url.host} does not answer`)));
      sent.on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      sent.end();
      return promise;
    },
    close: () => connections.destroy(),
  };
}

/** The body as bytes. @throws RangeError when it is longer than `limit` */
export async function readBody(reply: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`the reply is longer than ${String(limit)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
