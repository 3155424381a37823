/** What holds for the connections of the local network, whichever service they reach. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it } from "vitest";
import { callFrom, lanAddress, lanControl } from "../../support/app/lan-caller.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { startTestApp } from "../../support/app/test-app.ts";

it("counts the connections of all services that devices reach", async () => {
  await using app = await startTestApp({ limits: { maxConnections: 8 } });
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app", "provider"], everyone: true });
  const provider = Number(new URL(app.provider.url).port);
  const path = "/cgi-bin/token";
  await expect.poll(async () => (await callFrom({ port: provider, path })).status).toBe(200);
  const sockets: Socket[] = [];
  try {
    for (let count = 0; count < 8; count++) {
      const socket = connect(app.port, lanAddress).on("error", () => undefined);
      sockets.push(socket);
      await once(socket, "connect");
    }
    await expect.poll(async () => (await callFrom({ port: provider, path })).status).toBe(503);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it("believes no device about the way that its request came, whichever proxies are trusted", async () => {
  await using app = await startTestApp({ settings: { trusted_proxies: ["127.0.0.0/8"] } });
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app"], everyone: true });
  const headers = { "x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example" };
  await callFrom({ port: app.port, path: "/api/articles", from: "127.0.0.4", headers });
  const recorded = () => json<{ requests: { client: string }[] }>(callConsole(app, "GET", "/requests"));
  await expect.poll(async () => (await recorded()).requests.map(({ client }) => client)).toEqual(["127.0.0.4"]);
});

it("answers for a model service that is gone as that service would", async () => {
  await using app = await startTestApp();
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  gone.close();
  app.addresses.model = `http://127.0.0.1:${String(port)}`;
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["model"], everyone: true });
  const reply = await callFrom({ port, path: "/api/tags" });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([503, { error: expect.stringContaining("does not respond") }]);
});

it("lets a page of an allowed origin read why its device is refused", async () => {
  const origin = "http://127.0.0.9:5173";
  await using app = await startTestApp({ settings: { cors_origins: [origin] } });
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app"] });
  const call = { port: app.port, path: "/api/articles" };
  const asks = { origin, "access-control-request-method": "POST" };
  expect((await callFrom({ ...call, method: "OPTIONS", headers: asks })).status).toBe(204);
  const { status, headers } = await callFrom({ ...call, headers: { origin } });
  expect([status, headers["access-control-allow-origin"]]).toEqual([403, origin]);
});
