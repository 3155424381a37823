import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendStream } from "../../../server/http/connection/bodies/send-stream.ts";

/** Says how long the content is, and sends what there is of it. */
const server = createServer((req, res) => {
  const there = Buffer.alloc(Number(req.url?.slice(1)), "x");
  res.setHeader("Content-Length", 100_000);
  sendStream(res, () => Readable.from([there.subarray(0, 50), there.subarray(50)]), 100_000).catch(() =>
    req.socket.destroy(),
  );
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => void server.close());

it("a stream is sent to its end when it is complete; otherwise the connection is cut, so that no other answer follows on it", async () => {
  expect((await (await fetch(`${url}/100000`)).text()).length).toBe(100_000);
  await expect(fetch(`${url}/99999`).then((reply) => reply.text())).rejects.toThrow();
  expect((await (await fetch(`${url}/100000`)).text()).length).toBe(100_000);
});
