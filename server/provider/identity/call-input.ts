/** Reads the query and the body of a call of the platform's API for servers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { queryOf } from "../../http/middleware.ts";
import { readPlainBytes } from "../../http/formats/read-body.ts";
import { ProviderError } from "./provider-error.ts";

export type PlatformCall = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** As lenient as the real provider: the first of repeated parameters counts, and malformed encoding is kept. */
export function callQuery(req: IncomingMessage): (name: string) => string {
  const query = new URLSearchParams(queryOf(req));
  return (name) => query.get(name) ?? "";
}

/** @throws ProviderError 44002 for an empty body, 47001 for one that does not fit */
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
