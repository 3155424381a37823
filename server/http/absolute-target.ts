import type { RequestListener } from "node:http";

/**
 * A request may name its target as a whole URL, as one to a proxy does. Its host then counts instead of the Host header
 * (RFC 9112, 3.2.2), and the handler sees the path alone.
 */
export function takingAbsoluteTargets(handler: RequestListener): RequestListener {
  return (req, res) => {
    const { url = "" } = req;
    const [whole = "", host] = url.startsWith("/") ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
    if (host !== undefined) {
      req.headers.host = host;
      const path = url.slice(whole.length);
      req.url = path.startsWith("/") ? path : `/${path}`;
    }
    handler(req, res);
  };
}
