/** Cross-origin access as Ollama has it: local pages and desktop shells by default, everybody else refused. */
import type { IncomingMessage } from "node:http";
import { pathOf, type Middleware } from "../../http/middleware.ts";
import { traceHeaderNames } from "../../http/conventions/cors.ts";
import { varyBy } from "../../http/conventions/vary.ts";
import { environmentText } from "../options/environment.ts";

const localHosts = ["localhost", "127.0.0.1", "0.0.0.0"];
const defaultOrigins = [
  ...localHosts.flatMap((host) => [`http://${host}`, `https://${host}`, `http://${host}:*`, `https://${host}:*`]),
  "app://*",
  "file://*",
  "tauri://*",
  "vscode-webview://*",
  "vscode-file://*",
];

const methods = "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS";
/** The last lines are our addition: what Anthropic's client sends, and what names a trace. */
const headers = [
  "Authorization",
  "Content-Type",
  "User-Agent",
  "Accept",
  "X-Requested-With",
  "OpenAI-Beta",
  ...[
    "Lang",
    "Package-Version",
    "Os",
    "Arch",
    "Retry-Count",
    "Runtime",
    "Runtime-Version",
    "Async",
    "Helper-Method",
  ].map((name) => `X-Stainless-${name}`),
  "X-Stainless-Poll-Helper",
  "X-Stainless-Custom-Poll-Interval",
  "X-Stainless-Timeout",
  "X-Api-Key",
  "Anthropic-Version",
  "Anthropic-Beta",
  "Anthropic-Dangerous-Direct-Browser-Access",
  traceHeaderNames,
].join(", ");
/** Reply headers that pages may read (our addition). */
const exposed = ["X-Context-Cut", "X-Should-Retry", "Request-Id"].join(", ");
const maxAgeSeconds = 12 * 60 * 60;

/** There the clients of OpenAI and Anthropic send headers of their own, others with each version: all are let in. */
const isV1 = (req: IncomingMessage) => pathOf(req).toLowerCase().startsWith("/v1/");

/** Entries without "*" are whole origins: of pages, or of browser extensions. */
const originScheme = /^(https?|[a-z-]+-extension):\/\//;
const wholeOrigin = /^[^/]+\/\/[^/]+$/;

/**
 * Reads the list in Ollama's OLLAMA_ORIGINS. A slash behind an origin, as in the address of a page, does not count. An entry
 * that Ollama takes though no page has such an origin is passed to `warn` and left out.
 * @throws Error that names an entry with which Ollama does not start
 */
export function originsFrom(env: NodeJS.ProcessEnv, warn: (message: string) => void): string[] {
  const text = environmentText(env["OLLAMA_ORIGINS"]) ?? "";
  const entries = text.split(",").flatMap((entry) => entry.trim().toLowerCase() || []);
  return entries.flatMap((entry) => {
    const stars = entry.split("*").length - 1;
    if (stars > 1) throw new Error(`OLLAMA_ORIGINS: ${entry} has more than one *`);
    if (stars === 0 && !originScheme.test(entry))
      throw new Error(`OLLAMA_ORIGINS: ${entry} is not an origin: use http://HOST, https://HOST, or a * in it`);
    const origin = entry.replace(/([^/])\/$/, "$1");
    if (stars > 0 || wholeOrigin.test(origin)) return [origin];
    warn(`OLLAMA_ORIGINS: ${entry} is not an origin of a page and is ignored: use scheme, host and port only`);
    return [];
  });
}

/** The "*" of an entry matches any text. */
function matches(entry: string, origin: string): boolean {
  const [head = "", tail] = entry.split("*");
  if (tail === undefined) return entry === origin;
  return origin.length >= head.length + tail.length && origin.startsWith(head) && origin.endsWith(tail);
}

/**
 * `extra`: the setting cors_origins and OLLAMA_ORIGINS, added to the defaults ("loopback" is one of these anyway, "*"
 * allows every origin). Another origin gets 403 with an empty body, a preflight 204 on any path. A request without an
 * Origin header, or from this server's own origin, passes unchanged.
 */
export function modelCors(extra: readonly string[]): Middleware {
  const any = extra.includes("*");
  const entries = [...defaultOrigins, ...extra.filter((entry) => entry !== "loopback")].map((entry) =>
    entry.toLowerCase(),
  );
  return (req, res, next) => {
    const { origin, host = "" } = req.headers;
    if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) {
      next();
      return;
    }
    if (!any && !entries.some((entry) => matches(entry, origin.toLowerCase()))) {
      res.writeHead(403).end();
      return;
    }
    res.setHeader("Access-Control-Allow-Origin", any ? "*" : origin);
    if (!any) varyBy(res, "Origin");
    res.setHeader("Access-Control-Expose-Headers", exposed);
    if (req.method !== "OPTIONS") {
      next();
      return;
    }
    res.setHeader("Access-Control-Allow-Methods", methods);
    const asked = isV1(req) ? req.headers["access-control-request-headers"] : undefined;
    res.setHeader("Access-Control-Allow-Headers", asked ?? headers);
    if (isV1(req)) varyBy(res, "Access-Control-Request-Headers");
    res.setHeader("Access-Control-Max-Age", String(maxAgeSeconds));
    res.writeHead(204).end();
  };
}
