import type { RequestListener } from "node:http";

/**
 * Handles a request whose target is a whole URL, as for a proxy. Its host replaces the Host header (RFC 9112, 3.2.2),
 * and handlers see only the path. Invalid characters are encoded: some steps would read a backslash as a slash or stop
 * at a #, and so bypass the guards of others.
 */
export function takingAbsoluteTargets(handler: RequestListener): RequestListener {
  return (req, res) => {
    const url = (req.url ?? "").replace(/[\\#]/g, encodeURIComponent);
    req.url = url;
    const [whole = "", host] = url.startsWith("/") ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
    if (host !== undefined) {
      req.headers.host = host;
      const path = url.slice(whole.length);
      req.url = path.startsWith("/") ? path : `/${path}`;
    }
    handler(req, res);
  };
}
