import type { RequestListener } from "node:http";

/**
 * A request may name its target as a whole URL, as one to a proxy does. Its host then counts instead of the Host header
 * (RFC 9112, 3.2.2), and the handler sees the path alone. What no target may hold but some clients send is encoded: of the
 * steps that read the path, some would take a backslash for a slash and end at a #, and so pass by what others guard.
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
