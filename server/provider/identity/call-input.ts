/** Serves calls of the platform's API for servers, and reads their queries and bodies. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { pathOf, queryOf, type Middleware } from "../../http/middleware.ts";
import { createPathTable, withoutSlash } from "../../http/path-table.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { readPlainBytes } from "../../http/formats/read-body.ts";
import type { Credentials } from "./credentials.ts";
import { ProviderError } from "./provider-error.ts";

export type PlatformCall = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** @param calls by path, in any case */
export function serveCalls(calls: readonly (readonly [path: string, call: PlatformCall])[]): Middleware {
  const find = createPathTable<PlatformCall>(calls, { ignoreCase: true });
  return (req, res, next) => {
    const match = find(withoutSlash(pathOf(req)));
    if (!match) return next();
    notesOf(res).path = match.path;
    return match.value(req, res);
  };
}

/** @throws ProviderError 40001, 40014, 41001, 42001 without a valid access_token */
export async function checkCredential(req: IncomingMessage, credentials: Pick<Credentials, "refusal">): Promise<void> {
  const errcode = await credentials.refusal(callQuery(req)("access_token"));
  if (errcode !== undefined) throw new ProviderError(errcode);
}

/** As lenient as the real provider: the first of repeated parameters counts, and malformed encoding is kept. */
export function callQuery(req: IncomingMessage): (name: string) => string {
  const query = new URLSearchParams(queryOf(req));
  return (name) => query.get(name) ?? "";
}

/** @throws ProviderError 44002 for an empty body, 47001 for a body that does not match the schema */
export async function jsonBody<Schema extends z.ZodType>(
  req: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = await readPlainBytes(req);
  if (bytes.length === 0) throw new ProviderError(44002);
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw new ProviderError(47001);
  }
}

/** @throws ProviderError 43002 for other methods */
export const byPost =
  (call: PlatformCall): PlatformCall =>
  async (req, res) => {
    if (req.method !== "POST") throw new ProviderError(43002);
    await call(req, res);
  };
