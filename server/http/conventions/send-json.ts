import type { ServerResponse } from "node:http";

/** Sends a text whole. `type`: its media type, with the charset. */
export function sendText(res: ServerResponse, status: number, type: string, text: string): void {
  res.statusCode = status;
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  // Answers that are ready in one turn of the event loop leave together, as in negotiate.ts.
  setImmediate(() => res.end(res.req.method === "HEAD" ? "" : text));
}

/** Sends JSON whatever Accept says: in UTF-8, on one line, with null members. */
export const sendJson = (res: ServerResponse, status: number, value: unknown): void =>
  sendText(res, status, "application/json; charset=utf-8", JSON.stringify(value));
