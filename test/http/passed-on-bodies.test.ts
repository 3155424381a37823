/** Requests that are passed on to another service, over real sockets: what is a body stays a body. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { passToService } from "../../server/app/lan-access/pass-to-service.ts";
import { streamThrough } from "../../server/app/console/stream-through.ts";
import type { HttpError } from "../../server/http/http-error.ts";
import { forwardRequest } from "../../server/stand-in/forward-request.ts";
import { switchProtocols } from "../support/switch-protocols.ts";

async function listen(answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>) {
  const server = createServer((req, res) => void answer(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

type PassOn = (to: string, req: IncomingMessage, res: ServerResponse) => Promise<void>;
const ways: [string, PassOn][] = [
  ["a device's", (to, req, res) => passToService(() => to, "token")(req, res)],
  ["the console page's", (to, req, res) => streamThrough(req, res, to, "/passed")],
  [
    "a stand-in's",
    (to, req, res) => forwardRequest(req, res, { origin: new URL(to), host: "api.example.com", path: "/passed" }),
  ],
];
const inner = 'PATCH /sim/settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 21\r\n\r\n{"refund_seconds":77}';
const framed: [string, string][] = [
  ["Transfer-Encoding: chunked", `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`],
  [`Content-Length: ${inner.length}`, inner],
  [`Content-Length: ${inner.length}\r\nConnection: close, content-length`, inner],
];

it.each(ways.flatMap(([whose, passOn]) => framed.map(([head, body]) => [whose, head, body, passOn] as const)))(
  "%s request with a body is one request, whatever its method: %j",
  async (_whose, head, body, passOn) => {
    const seen: [string | undefined, string][] = [];
    await using service = await listen(async (req, res) => {
      seen.push([req.method, await text(req)]);
      res.end("done");
    });
    await using front = await listen((req, res) => passOn(service.url, req, res));
    const methods = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT"];
    for (const method of methods) {
      const socket = connect(front.port, "127.0.0.1");
      const connection = head.includes("Connection") ? "" : "Connection: close\r\n";
      socket.write(`${method} /passed HTTP/1.1\r\nHost: 127.0.0.1\r\n${connection}${head}\r\n\r\n${body}`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    }
    expect(seen).toEqual(methods.map((method) => [method, inner]));
  },
);

it.each(ways)("%s request learns the reply's headers before its first byte is there", async (_whose, passOn) => {
  const { promise: more, resolve: writeMore } = Promise.withResolvers<undefined>();
  await using service = await listen(async (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    await more;
    res.end("data: 1");
  });
  await using front = await listen((req, res) => passOn(service.url, req, res));
  const reply = await fetch(`${front.url}/passed`);
  expect(reply.status).toBe(200);
  writeMore(undefined);
  expect(await reply.text()).toBe("data: 1");
});

it.each(ways)("%s request to a service that switches protocols is answered that it is down", async (_whose, passOn) => {
  await using service = await listen(async (_req, res) => switchProtocols(res));
  const refuse = (res: ServerResponse, { status }: HttpError) => void res.writeHead(status).end();
  await using front = await listen((req, res) =>
    passOn(service.url, req, res).catch((error: unknown) => refuse(res, error as HttpError)),
  );
  expect((await fetch(`${front.url}/passed`)).status).toBeOneOf([502, 503]);
});

it.each(ways)("%s request and its reply keep the case of their header names", async (_whose, passOn) => {
  let received: string[] = [];
  await using service = await listen(async (req, res) => {
    received = req.rawHeaders;
    res.writeHead(200, { "Wechatpay-Timestamp": "1", "x-lower": "2", "Request-ID": "3" }).end("done");
  });
  await using front = await listen((req, res) => passOn(service.url, req, res));
  const socket = connect(front.port, "127.0.0.1");
  const names = "Authorization: none\r\nWechatpay-Serial: ABC\r\nx-own: 1";
  socket.write(`GET /passed HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${names}\r\n\r\n`);
  const reply = await text(socket);
  expect(reply.split("\r\n")).toEqual(
    expect.arrayContaining(["Wechatpay-Timestamp: 1", "x-lower: 2", "Request-ID: 3"]),
  );
  expect(received).toEqual(expect.arrayContaining(["Wechatpay-Serial", "x-own"]));
});
