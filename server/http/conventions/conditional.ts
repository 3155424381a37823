/** Conditional requests (RFC 9110, section 13) on a resource's version. */
import type { IncomingMessage } from "node:http";
import { HttpError } from "../http-error.ts";

/**
 * The ETag of a version. It identifies the resource, not the bytes, which contain the session's countdown (our choice).
 */
export const etagOf = (version: number) => `"v${String(version)}"`;

const tagsOf = (header: string) => header.split(",").map((one) => one.trim().replace(/^W\//, ""));

/** True when the client has this version, by If-None-Match: answer 304. */
export function isUnchanged(req: IncomingMessage, version: number): boolean {
  const header = req.headers["if-none-match"];
  return header !== undefined && (header.trim() === "*" || tagsOf(header).includes(etagOf(version)));
}

/** @throws HttpError 412 when If-Match names other versions only: the resource was changed meanwhile. */
export function requireMatch(req: IncomingMessage, version: number): void {
  const header = req.headers["if-match"];
  if (header === undefined || header.trim() === "*" || tagsOf(header).includes(etagOf(version))) return;
  throw new HttpError(
    412,
    "changed_since",
    "It has been changed since you read it: read it again and repeat the change.",
    {
      headers: { ETag: etagOf(version) },
    },
  );
}

/** True when the client wants no body in reply to a change (RFC 7240). */
export const wantsMinimal = (req: IncomingMessage) =>
  String(req.headers["prefer"] ?? "")
    .toLowerCase()
    .split(",")
    .map((preference) => preference.split(";", 1).join().split("="))
    .some((words) => words.map((word) => word.trim()).join("=") === "return=minimal");
