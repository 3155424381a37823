import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Sends what `open` gives. Nothing is opened for a client that has left meanwhile, since nothing would close it again.
 * @throws when the content cannot be read, or the client leaves before its end
 */
export async function sendStream(res: ServerResponse, open: () => Readable): Promise<void> {
  if (!res.destroyed) await pipeline(open(), res);
}
