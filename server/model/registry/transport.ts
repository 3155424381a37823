/** GET over HTTP and HTTPS, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, without following redirects. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface Transport {
  /** The head of the reply; its body is read, or destroyed, by the caller. @throws the system's error, the signal's reason */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

const connectMs = 30_000;

export function createTransport(env: NodeJS.ProcessEnv): Transport {
  const options = { keepAlive: true, proxyEnv: env };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  return {
    async get(url, headers, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const [request, agent] = url.protocol === "https:" ? [httpsRequest, https] : [httpRequest, http];
      const sent = request(url, { agent, headers: { "User-Agent": "hearth", ...headers }, signal }, resolve);
      // A server that accepts and then says nothing.
      sent.setTimeout(connectMs, () => sent.destroy(new Error(`${url.host} does not answer`)));
      sent.on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      sent.end();
      return promise;
    },
    close() {
      http.destroy();
      https.destroy();
    },
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
