import type { ServerResponse } from "node:http";
import { endTogether } from "../conventions/end-together.ts";
import type { WrittenBody } from "../route.ts";

/**
 * Sends a body as it was written.
 * @param carried JSON of the status package, which then stands around JSON data
 */
export function sendWritten(
  res: ServerResponse,
  status: number,
  { type, content }: WrittenBody,
  carried: string | undefined,
): void {
  const data = typeof content === "string" ? content : Buffer.from(content.buffer, content.byteOffset, content.length);
  const body = type === undefined && carried !== undefined ? `{"status":${carried},"data":${String(data)}}` : data;
  res.statusCode = status;
  res.setHeader("Content-Type", type ?? "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(body));
  if (typeof body === "string") endTogether(res, body, "utf8");
  else res.end(body);
}
