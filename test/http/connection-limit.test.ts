/** How many connections a port takes, whether they speak HTTP, HTTPS or nothing at all. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { expect, it } from "vitest";
import { createConnectionLimit } from "../../server/http/connection/connection-limit.ts";
import { serve } from "../../server/http/connection/serve.ts";
import { createAuthority } from "../../server/stand-in/certificates.ts";
import { patienceMs } from "../support/eventually.ts";

const { certificate: cert, key: keyObject } = createAuthority(Date.now());
const key = keyObject.export({ type: "pkcs8", format: "pem" });
const tls = { contextFor: () => createSecureContext({ cert, key }) };
/** How many are kept beyond the limit, to be answered 503. */
const margin = 100;

it.each([
  ["HTTP", undefined],
  ["HTTP and HTTPS", tls],
] as const)("counts silent connections where %s is spoken, and answers others 503", async (_what, both) => {
  const connections = createConnectionLimit(5, undefined, 2 * patienceMs);
  const address = { host: "127.0.0.1", port: 0 };
  const listener = await serve((_req, res) => void res.end("here"), { ...address, connections, tls: both });
  const sockets: Socket[] = [];
  let closed = 0;
  try {
    const silent = async () => {
      const socket = connect(listener.port, "127.0.0.1").on("error", () => undefined);
      sockets.push(socket.once("close", () => closed++));
      await once(socket, "connect");
    };
    for (let count = 0; count < 5; count++) await silent();
    const request = both ? httpsRequest : httpRequest;
    const path = `http${both ? "s" : ""}://127.0.0.1:${listener.port}/`;
    const refused = request(path, { rejectUnauthorized: false, agent: false }).end();
    const [reply] = (await once(refused, "response")) as [{ statusCode: number; resume: () => void }];
    reply.resume();
    expect(reply.statusCode).toBe(503);
    for (let count = 0; count < margin + 20; count++) await silent();
    await expect.poll(() => closed).toBeGreaterThanOrEqual(20);
  } finally {
    for (const socket of sockets) socket.destroy();
    await listener.close(0);
  }
});
