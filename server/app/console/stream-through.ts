import type { IncomingMessage, ServerResponse } from "node:http";
import { showInert } from "../../http/conventions/show-inert.ts";
import { refuse } from "../../http/http-error.ts";
import { ofConnection, passOn, serviceDown, withoutHeaders } from "../../http/outgoing/pass-on.ts";

/** Request headers that identify the caller are not forwarded. */
const notAsked = new Set([...ofConnection, "host", "cookie", "authorization", "origin", "referer"]);

/** Reply headers that would affect the console's own page, cookies or address are not forwarded. */
const notAnswered = new Set([
  ...ofConnection,
  "set-cookie",
  "location",
  "refresh",
  "clear-site-data",
  "service-worker-allowed",
  "content-security-policy",
  "x-content-type-options",
]);

/**
 * The URL of a path at a service, concatenated, because resolving may lead to another host.
 * @throws HttpError 400 for a path that does
 */
function addressAt(baseUrl: string, path: string): URL {
  const address = new URL(baseUrl.replace(/\/$/, "") + path);
  if (/^\/(?:[/\\]|%2f|%5c)/i.test(path) || address.origin !== new URL(baseUrl).origin)
    throw refuse("service.path", undefined, { field: "path" });
  return address;
}

const redirected = (status: number) => refuse("service.redirect", { status });

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/**
 * Streams a request of the console's page through to another service and its reply back, so that the page needs to talk to
 * its own origin only. A browser that is led to the reply runs nothing of it, and a redirect is neither followed nor passed
 * on.
 * @param target path and query at the service
 * @param added further headers of the request
 * @throws HttpError 400 for a path that names a host, 502 for a redirect, 503 when the service does not answer
 */
export async function streamThrough(
  req: IncomingMessage,
  res: ServerResponse,
  baseUrl: string | undefined,
  target: string,
  added: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (baseUrl === undefined) throw serviceDown();
  await passOn(req, res, {
    to: addressAt(baseUrl, target),
    headers: { ...withoutHeaders((name) => notAsked.has(name), req), ...added },
    answerHeaders(reply) {
      const { statusCode = 502 } = reply;
      if (isRedirect(statusCode)) return redirected(statusCode);
      showInert(res);
      return withoutHeaders((name) => notAnswered.has(name), reply);
    },
  });
}
