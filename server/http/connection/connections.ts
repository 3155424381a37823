/** Requests that Hearth itself sends, over HTTP and HTTPS alike, on connections that are kept. */
import { Agent as HttpAgent, request as httpRequest, type AgentOptions, type ClientRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";

export interface Connections {
  /** Begins a request; `protocol`, as a URL has it, says whether it is encrypted. */
  request(protocol: string, options: RequestOptions): ClientRequest;
  /** Ends all connections, those in use too. */
  destroy(): void;
}

/** Kept unless the options say otherwise. */
export function keepConnections(options: AgentOptions = {}): Connections {
  const http = new HttpAgent({ keepAlive: true, ...options });
  const https = new HttpsAgent({ keepAlive: true, ...options });
  return {
    request: (protocol, request) =>
      protocol === "https:" ? httpsRequest({ ...request, agent: https }) : httpRequest({ ...request, agent: http }),
    destroy() {
      http.destroy();
      https.destroy();
    },
  };
}

/** The other side closed an idle connection just as it was used again: that says nothing about the other side. */
export const wasStale = ({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException): boolean =>
  reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
