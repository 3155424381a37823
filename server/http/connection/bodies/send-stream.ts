import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { leftOf } from "./left-of.ts";

/** Headers of the content that a refusal must not have. */
const ofContent = ["Content-Disposition", "Content-Range", "ETag"];

/**
 * Sends the content from `open`, which must have `length` bytes. If it is shorter, the connection is cut, because the
 * client would take the next answer for its end. The head waits for the first bytes, so that a content that cannot be
 * read at all can still be refused. Nothing is opened for a client that has left, because nothing would close it.
 * @throws when the content cannot be read, is too short, or the client leaves before its end
 */
export async function sendStream(res: ServerResponse, open: () => Readable, length = 0): Promise<void> {
  async function* whole(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (const chunk of chunks) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent < length) throw new Error(`the content ends after ${String(sent)} of ${String(length)} bytes`);
  }
  if (res.destroyed) return;
  const content = open();
  try {
    await once(content, "readable", { signal: leftOf(res) });
  } catch (error) {
    content.destroy();
    for (const name of ofContent) res.removeHeader(name);
    throw error;
  }
  await pipeline(content, whole, res);
}
