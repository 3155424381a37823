/** Forwards requests unchanged except for the headers of a connection. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ofConnection, passOn, withoutHeaders } from "../http/outgoing/pass-on.ts";

/** Headers that belong to one connection (RFC 9110, 7.6.1), in addition to those that Connection names. */
const hopByHop = [...ofConnection, "te", "trailer", "proxy-connection", "proxy-authenticate", "proxy-authorization"];

function endToEnd(message: IncomingMessage, ...others: readonly string[]) {
  const named = (message.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const leftOut = new Set([...hopByHop, ...named, ...others]);
  return withoutHeaders((name) => leftOut.has(name), message);
}

/** Answers in plain words. */
export function answerText(res: ServerResponse, status: number, text: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  res.writeHead(status, { ...headers, Connection: "close" }).end(`${text}\n`);
}

interface Target {
  /** The server to connect to. */
  readonly origin: URL;
  /** The Host header. */
  readonly host: string;
  /** Unchanged, because signatures cover it. */
  readonly path: string;
  /** Headers to add. */
  readonly added?: OutgoingHttpHeaders | undefined;
  readonly passesResets?: boolean;
}

/** Streams a request to the target and its reply back; 502 with the reason when the target cannot be reached. */
export async function forwardRequest(req: IncomingMessage, res: ServerResponse, target: Target) {
  const { origin, host, path, added, passesResets = false } = target;
  try {
    await passOn(req, res, {
      to: origin,
      path: path.startsWith("/") ? path : `/${path}`,
      // Node has already answered Expect.
      headers: { ...endToEnd(req, "expect", "host"), Host: host, ...added },
      answerHeaders: (reply) => endToEnd(reply),
      passesResets,
    });
  } catch (error) {
    const { cause } = error as Error;
    answerText(res, 502, `${host} does not respond: ${cause instanceof Error ? cause.message : String(error)}`);
  }
}
