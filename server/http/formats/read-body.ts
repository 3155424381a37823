import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { readingBody } from "../connection/bodies/body-watch.ts";
import { parseExactJson } from "../../contract/exact-json.ts";
import { coerceForm } from "./coerce-form.ts";
import { gatherBytes, freeBuffer } from "./gather-bytes.ts";
import { type HttpError, refuse } from "../http-error.ts";
import { parseForm } from "./parse-form.ts";
import { readXml } from "./read-xml.ts";
import { settledReading, type TextReading } from "./reading.ts";

/** The longest JSON or form body in bytes; a longer one is 400 (spec: Errors 400.2). */
export const maxBodyBytes = 1024 * 1024;
const maxDepth = 64;

/** The media type in lower case without parameters, and the charset if there is one. */
export function contentType(header: string | undefined): { type: string; charset: string | undefined } {
  const [type = "", ...parameters] = (header ?? "").split(";");
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(one)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() };
}

/**
 * Reads a complete body.
 * @throws HttpError 400 when it is longer than `limit` bytes, is late, or the client leaves before its end; 503 when
 * all bodies together take too much memory
 */
export function readBytes(req: IncomingMessage, limit = maxBodyBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLong = () => refuse("body.tooLong", { limit });
    const expected = Number(req.headers["content-length"] ?? 0);
    if (expected > limit) return reject(tooLong());
    if (req.destroyed) return reject(incomplete());
    const gathered = gatherBytes(expected);
    const stop = (error: Error) => {
      // The request is not destroyed: that would close the connection before the answer.
      req.off("data", take).pause();
      gathered.drop();
      reading.done();
      reject(error);
    };
    const reading = readingBody(req, true, stop);
    const take = (chunk: Buffer) => {
      try {
        reading.hold(chunk.length);
        if (gathered.size() + chunk.length > limit) throw tooLong();
        gathered.add(chunk);
      } catch (error) {
        stop(error as HttpError);
      }
    };
    // Listeners, because an iterator costs several times as much as a short body itself.
    req.on("data", take);
    req.once("end", () => {
      reading.done();
      resolve(gathered.whole());
    });
    req.once("error", (error) => stop(incomplete(error)));
    req.once("close", () => {
      if (!req.readableEnded) stop(incomplete());
    });
  });
}

/**
 * Reads a complete body that is not compressed.
 * @throws HttpError as `readBytes`; 415 for a content coding
 */
export function readPlainBytes(req: IncomingMessage, limit?: number): Promise<Buffer> {
  checkCoding(req);
  return readBytes(req, limit);
}

/** @throws HttpError 415 for a content coding, such as gzip */
export function checkCoding(req: IncomingMessage): void {
  const coding = req.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (coding !== "identity") throw refuse("body.coding", { coding });
}

const incomplete = (cause?: Error) => refuse("body.incomplete", undefined, { cause });

const formType = "application/x-www-form-urlencoded";
const isXmlType = (type: string) => type === "application/xml" || type === "text/xml" || type.endsWith("+xml");

/**
 * Reads a JSON, form or XML body into a value; a missing body is an empty object. `schema` decides how the texts of a
 * form or XML are converted.
 * @throws HttpError 400 for a body that does not match its type, 415 for another type or charset.
 */
export async function readBody(
  req: IncomingMessage,
  accept: "any" | "form",
  schema: z.ZodType,
  limit = maxBodyBytes,
): Promise<unknown> {
  const { type, charset } = contentType(req.headers["content-type"]);
  const bytes = await readBytes(req, limit);
  if (bytes.length === 0 && type === "") return {};
  checkCharset(charset);
  checkCoding(req);
  if (type === "application/json-patch+json")
    throw refuse("body.patch", undefined, {
      headers: { "Accept-Patch": "application/merge-patch+json, application/json" },
    });
  const settled = (reading: TextReading) => checkedValue(settledReading(reading, schema));
  if (type === formType) return settled(coerceForm(parseForm(decodeUtf8(bytes), "body"), schema));
  if (accept === "any" && (type === "application/json" || type.endsWith("+json"))) return parseJson(decodeUtf8(bytes));
  if (accept === "any" && isXmlType(type))
    return bytes.length === 0 ? {} : settled(readXml(decodeUtf8(bytes), schema, charset));
  if (type === "") throw refuse("body.untyped", { type: accept === "any" ? "application/json" : formType });
  const taken = accept === "any" ? `application/json, ${formType} or application/xml` : formType;
  throw refuse("body.type", { type, taken });
}

/** @throws HttpError 415 for a charset other than UTF-8 */
function checkCharset(charset: string | undefined): void {
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8" && charset !== "us-ascii")
    throw refuse("body.charset", { charset });
}

/** Decodes a body and frees its bytes. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("body.notUtf8");
  } finally {
    freeBuffer(bytes);
  }
}

function parseJson(text: string): unknown {
  if (text === "") return {};
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    throw jsonProblem((error as Error).message);
  }
  return checkedValue(value);
}

function checkedValue(value: unknown): unknown {
  checkValue(value, "", 0);
  return value;
}

/** Uses only the position from the parser's message, which may quote a password in the body. */
function jsonProblem(message: string): HttpError {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  if (line !== undefined) return refuse("json.at", { line, column: column ?? "" });
  return refuse(message.includes("end of JSON") ? "json.early" : "json.other");
}

/**
 * Refuses dangerous values: nesting that overflows the stack, keys that reach prototypes, and what could not be written
 * again as it was read: unpaired surrogates, numbers beyond 1.8e308, whole numbers with more digits than are exact.
 */
function checkValue(value: unknown, path: string, depth: number): void {
  if (depth > maxDepth) throw refuse("body.tooDeep", { maxDepth });
  if (typeof value === "string" && !value.isWellFormed()) throw refuse("body.surrogate", { path }, { field: path });
  if (typeof value === "number" && !Number.isFinite(value))
    throw refuse(Number.isNaN(value) ? "body.rounded" : "body.number", { path }, { field: path });
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (key === "__proto__" || !key.isWellFormed()) throw refuse("body.name", { name: at }, { field: at });
    checkValue(member, at, depth + 1);
  }
}
