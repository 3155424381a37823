import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { varyBy } from "./vary.ts";

/** Characters that a Location must encode. */
const notInAddress = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]+/g;

/** Redirects the client. The body links to the address, as HTML or text. */
export function redirect(req: IncomingMessage, res: ServerResponse, status: number, address: string): void {
  const location = address.toWellFormed().replace(notInAddress, encodeURI);
  const title = STATUS_CODES[status] ?? "";
  const escaped = location.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
  const type = new Negotiator(req).mediaType(["text/plain", "text/html"]);
  const html = `<!DOCTYPE html><head><title>${title}</title></head><body><p>${title}. Redirecting to ${escaped}</p></body>`;
  const text = `${title}. Redirecting to ${location}`;
  const body = type === "text/html" ? html : type === "text/plain" ? text : "";
  res.statusCode = status;
  res.setHeader("Location", location);
  varyBy(res, "Accept");
  if (body !== "") res.setHeader("Content-Type", `${String(type)}; charset=utf-8`);
  res.setHeader("Content-Length", body.length);
  res.end(body);
}
