/** Conditional requests (RFC 9110, section 13). */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuse } from "../http-error.ts";

/**
 * The ETag of a version. It identifies the resource, not the bytes, which contain the session's countdown (our choice).
 * The time of the change tells it from the same version of an item whose id was given away again by a reset.
 */
export const etagOf = ({ version, updatedAt }: { readonly version: number; readonly updatedAt: number }) =>
  `"v${String(version)}-${updatedAt.toString(36)}"`;

const xmlMark = /-xml"$/;
/** The ETag of a resource in a format: JSON and XML are different bytes (RFC 9110, 8.8.1). */
export const tagInFormat = (tag: string, format: string | undefined) =>
  format === undefined || format === "json" ? tag : tag.replace(/"$/, '-xml"');

/** The ETag of a page of a list: of what it has, in its order, and of how many there are. */
export const etagOfList = (parts: readonly unknown[]) =>
  `"l${createHash("sha1").update(JSON.stringify(parts)).digest("base64url")}"`;

const tagsOf = (header: string) => header.split(",").map((one) => one.trim().replace(/^W\//, ""));
const names = (header: string, tag: string) => header.trim() === "*" || tagsOf(header).includes(tag);
/** Whether a header names a version, in whichever format the client has it. */
const namesVersion = (header: string, tag: string) => names(header.replaceAll('-xml"', '"'), tag.replace(xmlMark, '"'));

const failed = (tag: string, code: "version.same" | "version.other") =>
  refuse(code, undefined, { headers: { ETag: tag } });

/**
 * True when the client has this version, by If-None-Match: answer 304.
 *
 * @throws HttpError 412 when If-Match names other versions only: it was changed meanwhile
 */
export function isUnchanged({ headers }: IncomingMessage, tag: string): boolean {
  const { "if-match": wanted, "if-none-match": known } = headers;
  if (wanted !== undefined && !namesVersion(wanted, tag)) throw failed(tag, "version.other");
  return known !== undefined && names(known, tag);
}

/** @throws HttpError 412 when a change must not happen: by If-Match, or by an If-None-Match that names this version */
export function requireMatch(req: IncomingMessage, tag: string): void {
  const { "if-none-match": known } = req.headers;
  if (isUnchanged(req, tag) || (known !== undefined && namesVersion(known, tag))) throw failed(tag, "version.same");
}

/** True when the client wants no body in reply to a change (RFC 7240). */
export const wantsMinimal = (req: IncomingMessage) =>
  String(req.headers["prefer"] ?? "")
    .toLowerCase()
    .split(",")
    .map((preference) => preference.split(";", 1).join().split("="))
    .some((words) => words.map((word) => word.trim()).join("=") === "return=minimal");
