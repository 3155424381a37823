/** HTTP to the payment provider with persistent connections, a deadline for calls and a size limit for replies. */
import { message, type Text } from "../../../contract/messages/message.ts";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { trimEndOf } from "../../../contract/trim-end-of.ts";
import { keepConnections } from "../../../http/connection/connections.ts";
import { hearthAgent } from "../../../http/outgoing/agent-name.ts";
import { afterRunning } from "../../../time/after-running.ts";
import type { UnknownReason } from "./provider-client.ts";

export interface HttpCall {
  readonly method: "GET" | "POST";
  /** Path and query below the base URL, percent-encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Shortens the time limit of the call. */
  readonly withinMs?: number | undefined;
}

/** A complete reply, or the reason why there is none. */
export type HttpAnswer =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
  | { readonly failed: Extract<UnknownReason, "no_answer" | "timed_out" | "too_long">; readonly description: Text };

export interface ProviderConnection {
  /** Path of the base URL, which version 3 includes in its signatures. */
  readonly pathPrefix: string;
  /** Never rejects, and tries once: only the caller knows what may be retried. */
  call(call: HttpCall): Promise<HttpAnswer>;
  close(): void;
}

/** The longest real replies are lists of certificates, a few KiB. */
const maxReplyBytes = 262_144;
/**
 * Idle connections end after this time, or earlier when the other side announces a shorter limit. Longer than any call.
 */
const idleMs = 90_000;

/** node:http takes a third of the CPU time of fetch for calls as small as these. */
export function createProviderConnection(options: { baseUrl: string; timeoutMs: number }): ProviderConnection {
  const { protocol, hostname, port, pathname } = new URL(options.baseUrl);
  const connections = keepConnections({ scheduling: "lifo", timeout: idleMs });
  const address = { hostname: hostname.replace(/^\[|\]$/g, ""), ...(port !== "" && { port }) };
  const pathPrefix = trimEndOf(pathname, "/");
  let closed = false;

  return {
    pathPrefix,
    call: ({ method, path, headers, body = "", withinMs = Infinity }) =>
      new Promise((resolve) => {
        if (closed) return resolve(noAnswer("the connection is closed"));
        const length = body === "" && method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
        const request = connections.request(protocol, {
          ...address,
          method,
          path: `${pathPrefix}${path}`,
          headers: { Accept: "*/*", "User-Agent": hearthAgent, ...headers, ...length },
        });
        const settle = (answer: HttpAnswer) => {
          clearInterval(deadline);
          resolve(answer);
          if ("failed" in answer) request.destroy();
        };
        const timeMs = Math.min(options.timeoutMs, withinMs);
        const deadline = afterRunning(timeMs, () => settle(timedOut(timeMs)));
        request.on("error", (error: NodeJS.ErrnoException) => settle(noAnswer(error.code ?? error.message)));
        request.on("response", (response) => collect(response, settle));
        request.end(body);
      }),
    close() {
      closed = true;
      connections.destroy();
    },
  };
}

function collect(response: IncomingMessage, settle: (answer: HttpAnswer) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  response.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= maxReplyBytes) parts.push(part);
    else settle({ failed: "too_long", description: message("reply.tooLong", { bytes: maxReplyBytes }) });
  });
  response.on("error", (error: NodeJS.ErrnoException) => settle(noAnswer(error.code ?? error.message)));
  response.on("end", () =>
    settle({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
  );
}

const noAnswer = (why: string): HttpAnswer => ({
  failed: "no_answer",
  description: message("reply.none", { why }),
});

const timedOut = (timeMs: number): HttpAnswer => ({
  failed: "timed_out",
  description: message("reply.late", { ms: timeMs }),
});
