import type { IncomingMessage } from "node:http";

/** The body as bytes. @throws RangeError when it is longer than `limit` */
export async function readReply(reply: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`the reply is longer than ${String(limit)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
