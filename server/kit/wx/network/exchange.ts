/** One request over the network, as the platform's client sends it. */
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { urlToHttpOptions } from "node:url";
import {
  networkReason,
  wxFailures,
  type FailureReason,
  type NetworkError,
} from "../../../contract/mini-program/wx-failures.ts";
import { keepConnections, wasStale } from "../../../http/connection/connections.ts";

export interface WxExchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
  readonly redirect?: "follow" | "manual" | undefined;
  /** @param sent bytes of the body */
  readonly onSent?: (sent: number, total: number) => void;
  readonly onHeaders?: (reply: IncomingMessage) => void;
  /** @param total 0 while the length is unknown */
  readonly onReceived?: (received: number, total: number) => void;
  /** Called for each part of the reply's content. */
  readonly onChunk?: ((part: Uint8Array) => void) | undefined;
}

export interface Exchanged {
  readonly reply: IncomingMessage;
  readonly content: Uint8Array;
}

const connections = keepConnections({ isForeign: true });
const mostRedirects = 20;
const sliceBytes = 64 * 1024;

/** Writes the body in slices, so that progress can be reported. */
function sendBody(request: ReturnType<typeof connections.request>, { body, onSent }: WxExchange): void {
  if (body === undefined || body.length === 0) return void request.end();
  const send = (from: number) => {
    const to = Math.min(from + sliceBytes, body.length);
    request.write(body.subarray(from, to), (error) => {
      if (error) return;
      onSent?.(to, body.length);
      if (to < body.length) send(to);
      else request.end();
    });
  };
  send(0);
}

async function send(url: URL, exchange: WxExchange, isSecondTry = false): Promise<IncomingMessage> {
  const { method, headers, body, signal } = exchange;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = connections
    .request(url.protocol, {
      ...urlToHttpOptions(url),
      method,
      headers: { ...headers, ...(body !== undefined && { "content-length": String(body.length) }) },
      signal,
    })
    .once("response", resolve)
    .on("error", reject);
  sendBody(request, exchange);
  return promise.catch((error: NodeJS.ErrnoException) => {
    if (isSecondTry || !wasStale(request, error)) throw error;
    return send(url, exchange, true);
  });
}

/** The request that follows a redirect; undefined when the reply is none. */
function followUp(url: URL, { statusCode = 0, headers }: IncomingMessage, exchange: WxExchange) {
  const { location } = headers;
  if (exchange.redirect === "manual" || location === undefined || ![301, 302, 303, 307, 308].includes(statusCode))
    return undefined;
  const becomesGet = statusCode < 307 && exchange.method !== "HEAD";
  return {
    to: new URL(location, url),
    exchange: becomesGet ? { ...exchange, method: "GET", body: undefined } : exchange,
  };
}

async function readContent(reply: IncomingMessage, { onReceived, onChunk }: WxExchange): Promise<Uint8Array> {
  let received = 0;
  const total = Number(reply.headers["content-length"] ?? 0);
  if (onReceived) reply.on("data", (part: Buffer) => onReceived((received += part.length), total));
  if (onChunk) reply.on("data", onChunk);
  return buffer(reply);
}

class TooManyRedirects extends Error {}

/** @throws the network's error, or the signal's reason */
export async function exchangeOver(url: URL, exchange: WxExchange, redirects = 0): Promise<Exchanged> {
  const reply = await send(url, exchange);
  const next = followUp(url, reply, exchange);
  if (!next) {
    exchange.onHeaders?.(reply);
    return { reply, content: await readContent(reply, exchange) };
  }
  reply.resume();
  if (redirects === mostRedirects) throw new TooManyRedirects();
  return exchangeOver(next.to, next.exchange, redirects + 1);
}

const errorsByCode: Readonly<Record<string, NetworkError>> = {
  ECONNREFUSED: "ERR_CONNECTION_REFUSED",
  ECONNRESET: "ERR_CONNECTION_RESET",
  EPIPE: "ERR_CONNECTION_RESET",
  ENOTFOUND: "ERR_NAME_NOT_RESOLVED",
  EAI_AGAIN: "ERR_NAME_NOT_RESOLVED",
  EHOSTUNREACH: "ERR_ADDRESS_UNREACHABLE",
  ENETUNREACH: "ERR_INTERNET_DISCONNECTED",
  DEPTH_ZERO_SELF_SIGNED_CERT: "ERR_CERT_AUTHORITY_INVALID",
  SELF_SIGNED_CERT_IN_CHAIN: "ERR_CERT_AUTHORITY_INVALID",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "ERR_CERT_AUTHORITY_INVALID",
};

/** Why no answer came, in the platform's words. */
export function reasonOf(error: unknown, signal: AbortSignal): FailureReason {
  if (signal.aborted) return (signal.reason as Error).name === "TimeoutError" ? wxFailures.timeout : wxFailures.aborted;
  if (error instanceof TooManyRedirects) return networkReason("ERR_TOO_MANY_REDIRECTS");
  const { code = "" } = error as NodeJS.ErrnoException;
  return networkReason(errorsByCode[code] ?? "ERR_FAILED");
}
