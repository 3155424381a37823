/**
 * Reads request bodies like Ollama's decoder: JSON for any content type, member names in any case, only the first
 * value, unknown members ignored, no coercion of types.
 */
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { jsonEnd } from "../chat/answer/json-in-text.ts";
import { holdBody } from "../../http/connection/bodies/body-watch.ts";
import { freeBuffer } from "../../http/formats/gather-bytes.ts";
import { readBytes } from "../../http/formats/read-body.ts";
import { HttpError } from "../../http/http-error.ts";
import { OllamaError } from "../ollama-error.ts";
import { goKind, unmarshalError } from "./unmarshal-error.ts";

/** Room for a long history with images. */
const maxBodyBytes = 64 * 1024 * 1024;

/** V8's error text in Go's words. */
function goSyntaxError(error: unknown): OllamaError {
  const message = (error as Error).message;
  const unexpected = /Unexpected token '(.)'/su.exec(message)?.[1];
  return new OllamaError(
    400,
    unexpected === undefined ? "unexpected EOF" : `invalid character '${unexpected}' looking for beginning of value`,
  );
}

function parseFirstValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A streaming decoder never sees the text after the first value.
    const end = jsonEnd(text, 0);
    if (end === undefined || end === text.length) throw goSyntaxError(error);
    try {
      return JSON.parse(text.slice(0, end));
    } catch (inner) {
      throw goSyntaxError(inner);
    }
  }
}

/** Renames members to the names in the schema; an exact name wins over one in another case. */
function foldNames(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const byLower = new Map(names.map((name) => [name.toLowerCase(), name]));
  const exact = Object.entries(value).filter(([name]) => names.includes(name));
  const folded = Object.entries(value).flatMap(([name, member]) => {
    const known = byLower.get(name.toLowerCase());
    return known === undefined || known === name ? [] : [[known, member] as const];
  });
  return Object.fromEntries([...folded, ...exact]);
}

/** How to read one kind of request; `items`: member names of the items of array members. */
export interface RequestShape<Schema extends z.ZodObject> {
  /** Go's name of the type, for messages. */
  readonly name: string;
  readonly schema: Schema;
  readonly items?: Readonly<Record<string, readonly string[]>>;
  /** The error for an empty body. */
  readonly emptyText?: string;
}

const tooLong = (cause: unknown) =>
  new OllamaError(413, `the body is longer than ${String(maxBodyBytes)} bytes`, cause);

const zstd = promisify(zstdDecompress);

/** The body's text. One client compresses its bodies with zstd, the only supported encoding. */
async function readText(req: IncomingMessage): Promise<string> {
  const bytes = await readBytes(req, maxBodyBytes).catch((error: unknown) => {
    throw error instanceof HttpError && error.code === "content_too_long" ? tooLong(error) : error;
  });
  if (req.headers["content-encoding"] !== "zstd") return textOf(bytes);
  const whole = await zstd(bytes, { maxOutputLength: maxBodyBytes }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong(error);
    throw new OllamaError(400, "failed to decompress the zstd request body", error);
  });
  holdBody(req, whole.length);
  return textOf(whole);
}

/** Decodes a body and frees its bytes. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  freeBuffer(bytes);
  return text;
}

/** Deeper values would overflow the stack of recursive code; Go's decoder stops at 10,000. */
const mostNested = 2_500;

function checkNesting(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostNested)
      throw new OllamaError(400, `exceeded max depth: the body is nested deeper than ${String(mostNested)} levels`);
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  }
}

/** @throws OllamaError 400 */
export async function readRequest<Schema extends z.ZodObject>(
  req: IncomingMessage,
  { name, schema, items = {}, emptyText = "missing request body" }: RequestShape<Schema>,
): Promise<z.output<Schema>> {
  const text = (await readText(req)).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw new OllamaError(400, emptyText);
  const value = parseFirstValue(text) ?? {};
  checkNesting(value);
  if (!isObject(value))
    throw new OllamaError(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.${name}`);
  const body = foldNames(value, Object.keys(schema.shape)) as Record<string, unknown>;
  for (const [member, names] of Object.entries(items)) {
    const list = body[member];
    if (Array.isArray(list)) body[member] = list.map((item) => foldNames(item, names));
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw unmarshalError(name, parsed.error, body);
  return parsed.data;
}
