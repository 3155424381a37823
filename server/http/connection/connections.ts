/** Outgoing requests over HTTP and HTTPS on persistent connections. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type AgentOptions,
  type ClientRequest,
  type OutgoingHttpHeaders,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { traceHeaders } from "../../trace/span.ts";

export type OutgoingOptions = Omit<RequestOptions, "headers"> & { readonly headers?: OutgoingHttpHeaders | undefined };

export interface ConnectionOptions extends AgentOptions {
  /** The hosts are neither services of Hearth nor upstreams or receivers of the user: they get no trace. */
  readonly isForeign?: boolean;
}

/** Persistent unless the options say otherwise. */
export function keepConnections({ isForeign = false, ...options }: ConnectionOptions = {}) {
  const agentOptions = { keepAlive: true, ...options };
  let http: HttpAgent | undefined;
  let https: HttpsAgent | undefined;
  return {
    /** Starts a request, in the current trace unless the hosts are foreign; `protocol` is that of the URL. */
    request(protocol: string, options: OutgoingOptions): ClientRequest {
      const headers = { ...options.headers, ...(!isForeign && traceHeaders()) };
      return refusingUpgrade(
        protocol === "https:"
          ? httpsRequest({ ...options, headers, agent: (https ??= new HttpsAgent(agentOptions)) })
          : httpRequest({ ...options, headers, agent: (http ??= new HttpAgent(agentOptions)) }),
      );
    },
    /** Closes all connections, active ones too. */
    destroy(): void {
      http?.destroy();
      https?.destroy();
    },
  };
}

/** A request that fails when the peer switches protocols unasked (101): by itself it would end without answer and error. */
function refusingUpgrade(request: ClientRequest): ClientRequest {
  return request.once("upgrade", (_reply, socket) => {
    socket.destroy();
    request.emit("error", new Error("it switches to another protocol (101)"));
  });
}

/** The server closed an idle connection just as it was reused, which is no failure of the server. */
export const wasStale = ({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException): boolean =>
  reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
