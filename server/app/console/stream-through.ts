import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { badRequest, HttpError, unavailable } from "../../http/http-error.ts";
import { showInert } from "../../http/conventions/show-inert.ts";

const ofConnection = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

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

const without = (names: ReadonlySet<string>, headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && !names.has(name)));

/**
 * The URL of a path at a service, concatenated, because resolving may lead to another host.
 * @throws HttpError 400 for a path that does
 */
function addressAt(baseUrl: string, path: string): URL {
  const address = new URL(baseUrl.replace(/\/$/, "") + path);
  if (/^\/(?:[/\\]|%2f|%5c)/i.test(path) || address.origin !== new URL(baseUrl).origin)
    throw badRequest(
      "bad_path",
      "What follows the service's name begins like a host: begin it with one slash.",
      "path",
    );
  return address;
}

const redirected = (status: number) =>
  new HttpError(502, "redirected", `The service answered with a redirect (${String(status)}), which is not followed.`);

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/**
 * Proxies a request of the console's page to another service as a stream, so that the page needs only its own origin. A
 * page that goes away cancels the call. The reply cannot run scripts in a browser, and redirects are neither followed
 * nor forwarded.
 * @param target path and query at the service
 * @param added further headers of the request
 * @throws HttpError 400 for a path that names a host, 502 for a redirect, 503 when the service does not answer
 */
export function streamThrough(
  req: IncomingMessage,
  res: ServerResponse,
  baseUrl: string | undefined,
  target: string,
  added: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const down = (cause?: unknown) =>
      unavailable("service_down", "The service does not answer; the Overview page shows its state.", 2, cause);
    if (baseUrl === undefined) {
      reject(down());
      return;
    }
    const outgoing = request(
      addressAt(baseUrl, target),
      { method: req.method, headers: { ...without(notAsked, req.headers), ...added } },
      (incoming) => {
        const { statusCode = 502 } = incoming;
        if (isRedirect(statusCode)) {
          outgoing.destroy();
          reject(redirected(statusCode));
          return;
        }
        showInert(res);
        res.writeHead(statusCode, without(notAnswered, incoming.headers));
        incoming.on("data", (chunk: Buffer) => {
          if (!res.write(chunk)) {
            incoming.pause();
            res.once("drain", () => incoming.resume());
          }
        });
        incoming.once("end", () => res.end());
        incoming.once("close", () => {
          if (!incoming.complete) res.destroy(); // the page must notice a truncated reply
          resolve();
        });
      },
    );
    outgoing.on("error", (cause) => {
      if (res.headersSent || res.closed) resolve();
      else reject(down(cause));
    });
    res.once("close", () => {
      if (!res.writableFinished) outgoing.destroy();
    });
    req.pipe(outgoing);
  });
}
