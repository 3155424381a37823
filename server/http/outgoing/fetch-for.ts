/** Sends a request on an asker's behalf, follows redirects, and reads the whole answer. */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Asker } from "./asker.ts";
import type { OutgoingRequests } from "./outgoing-requests.ts";
import { readReply } from "./read-reply.ts";

export interface FetchOptions {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

export interface FetchedReply {
  readonly status: number;
  readonly text: string;
}

const maxRedirects = 10;
/** The longest answer in bytes. */
const maxReplyBytes = 4 * 1024 * 1024;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const secretHeaders = new Set(["authorization", "cookie", "proxy-authorization"]);

const without = (headers: FetchOptions["headers"] = {}, isLeftOut: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isLeftOut(name.toLowerCase())));

/** The request after a redirect (RFC 9110, 15.4); secrets stay with the original host. */
function redirected(status: number, from: URL, to: URL, { body, ...options }: FetchOptions): FetchOptions {
  const turnsIntoGet = status === 303 || (status < 303 && options.method === "POST");
  const foreign = (name: string) => from.origin !== to.origin && secretHeaders.has(name);
  const headers = without(options.headers, (name) => foreign(name) || (turnsIntoGet && name.startsWith("content-")));
  return { ...options, headers, ...(turnsIntoGet ? { method: "GET" } : { body }) };
}

function answerTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
    request.end(body);
  });
}

/** @throws TargetRefused for any forbidden target, the system's error, the signal's reason */
export async function fetchFor(
  { begin }: Pick<OutgoingRequests, "begin">,
  asker: Asker,
  address: string,
  first: FetchOptions,
): Promise<FetchedReply> {
  let url = new URL(address);
  let options = first;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const { method = "GET", headers = {}, body, signal } = options;
    signal.throwIfAborted();
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const request = await begin(asker, url, { method, headers: { Accept: "*/*", ...headers, ...length }, signal });
    const response = await answerTo(request, body);
    const { statusCode: status = 0 } = response;
    const { location } = response.headers;
    if (!redirectStatuses.has(status) || location === undefined)
      return { status, text: (await readReply(response, maxReplyBytes)).toString("utf8") };
    response.resume();
    const next = URL.parse(location, url.href);
    if (next === null || !/^https?:$/.test(next.protocol)) throw new Error("it redirects without an address");
    options = redirected(status, url, next, options);
    url = next;
  }
  throw new Error(`it redirects more than ${String(maxRedirects)} times`);
}
