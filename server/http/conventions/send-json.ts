import type { ServerResponse } from "node:http";
import { endTogether } from "./end-together.ts";

/** Sends a whole text. `type`: its media type, with the charset. */
export function sendText(res: ServerResponse, status: number, type: string, text: string): void {
  res.statusCode = status;
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  endTogether(res, text);
}

/** Sends JSON without negotiation: in UTF-8, on one line, with null members. */
export const sendJson = (res: ServerResponse, status: number, value: unknown): void =>
  sendText(res, status, "application/json; charset=utf-8", JSON.stringify(value));
