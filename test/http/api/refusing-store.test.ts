/** An upload whose store gives up in the middle of the file. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";
import { receiveMultipart } from "../../../server/app/uploads/receive-multipart.ts";
import { UploadFailed } from "../../../server/app/uploads/upload-failed.ts";
import type { Uploads } from "../../../server/app/uploads/uploads-service.ts";

it("an upload that the store refuses fails for the store's reason, not for the end of the stream", async () => {
  const noRoom = Object.assign(new Error("no room"), { code: "ENOSPC" });
  let room = 300_000;
  const receive: Uploads["receive"] = async ({ content }) => {
    await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) if ((room -= chunk.length) < 0) throw noRoom;
    });
    throw new Error("the disk has taken everything");
  };
  const { promise: failed, resolve } = Promise.withResolvers<unknown>();
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const rules = { kind: "upload", part: "[]", maxBytes: 10_000_000 } as const;
    resolve(await receiveMultipart(req, res, { receive } as Uploads, rules).catch((error: unknown) => error));
    res.end();
  };
  const server = createServer((req, res) => void serve(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const form = new FormData();
  form.append("[]", new File([new Uint8Array(2_000_000)], "a.zip"));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const sent = fetch(url, { method: "POST", body: form }).catch(() => undefined);
  const error = await failed;
  expect(error).toBeInstanceOf(UploadFailed);
  expect((error as UploadFailed).cause).toBe(noRoom);
  await sent;
  server.close();
  server.closeAllConnections();
});
