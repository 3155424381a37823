/**
 * GET over HTTP and HTTPS, through the proxy in HTTPS_PROXY, HTTP_PROXY and NO_PROXY, without following redirects. A
 * proxy resolves names itself, so a name is only checked here for addresses that the asker must not reach.
 */
import type { IncomingMessage } from "node:http";
import type { Asker } from "../../../http/outgoing/asker.ts";
import { networkFailure } from "../../../http/outgoing/network-failure.ts";
import { createOutgoingRequests } from "../../../http/outgoing/outgoing-requests.ts";
import { reasonFor } from "../../../http/outgoing/reason-for.ts";
import { TargetRefused, type Targets } from "../../../http/outgoing/targets.ts";
import { FatalTransferError } from "./registry-error.ts";
import { tlsFailure } from "./tls-failure.ts";

export interface Transport {
  /**
   * The head of the reply; the caller reads or destroys its body.
   * @throws FatalTransferError for a forbidden address or without TLS that can be trusted, the system's error, the signal's reason
   */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage>;
  /** A text from the server, as far as the asker may read it. */
  readonly quote: (text: string) => string;
}

export interface Transports {
  for(asker: Asker): Transport;
  close(): void;
}

const connectMs = 30_000;

const worded = (asker: Asker, host: string, error: Error) =>
  new Error(networkFailure(host, error) ?? reasonFor(asker, error), { cause: error });

export function createTransports(env: NodeJS.ProcessEnv, targets: Targets): Transports {
  const outgoing = createOutgoingRequests({ targets, agent: { proxyEnv: env, isForeign: true } });

  async function begin(asker: Asker, url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    try {
      return await outgoing.begin(asker, url, { headers: { "User-Agent": "hearth", ...headers }, signal });
    } catch (error) {
      throw error instanceof TargetRefused ? new FatalTransferError(error.message, { cause: error }) : error;
    }
  }

  return {
    for: (asker) => ({
      async get(url, headers, signal) {
        signal.throwIfAborted();
        const sent = await begin(asker, url, headers, signal);
        const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
        sent.on("response", resolve);
        // Ends a wait for a server that accepts and then sends nothing.
        sent.setTimeout(connectMs, () => sent.destroy(new Error(`${url.host} does not respond`)));
        sent.on("error", (error) => {
          if (signal.aborted) reject(signal.reason as Error);
          else reject(tlsFailure(url.host, error) ?? worded(asker, url.host, error));
        });
        sent.end();
        return promise;
      },
      quote: (text) => (asker === "here" ? text : "its text is shown to programs on this machine only"),
    }),
    close: () => outgoing.destroy(),
  };
}
