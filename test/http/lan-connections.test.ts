/** How many connections the local network may have: all of its listeners have one limit. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { callFrom, lanAddress, lanControl } from "../support/app/lan-caller.ts";
import { startTestApp } from "../support/app/test-app.ts";

it("counts the connections of all services that devices reach", async () => {
  await using app = await startTestApp({ settings: { max_connections: 8 } });
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
