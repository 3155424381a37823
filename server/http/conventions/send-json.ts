import type { ServerResponse } from "node:http";

/** Sends a whole text. `type`: its media type, with the charset. */
export function sendText(res: ServerResponse, status: number, type: string, text: string): void {
  res.statusCode = status;
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  // Answers of one turn of the event loop are sent together, as in negotiate.ts.
  setImmediate(() => res.end(res.req.method === "HEAD" ? "" : text));
}

/** Sends JSON without negotiation: in UTF-8, on one line, with null members. */
export const sendJson = (res: ServerResponse, status: number, value: unknown): void =>
  sendText(res, status, "application/json; charset=utf-8", JSON.stringify(value));
