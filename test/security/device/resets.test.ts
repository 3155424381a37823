/** Devices that reset their connection at once: nobody knows by then who has asked. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { callFrom, lanAddress, lanControl } from "../../support/app/lan-caller.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app", "provider"] });
});
afterAll(() => app[Symbol.asyncDispose]());

const portsOf = () => [app.port, Number(new URL(app.provider.url).port)];

async function askAndReset(port: number, from: string): Promise<void> {
  const socket = connect({ port, host: lanAddress, localAddress: from });
  await once(socket, "connect");
  socket.write("POST /api/blind HTTP/1.1\r\nHost: 127.0.0.2\r\nContent-Length: 0\r\n\r\n", () =>
    socket.resetAndDestroy(),
  );
  await once(socket, "close");
}

it("are not taken for one that is let in, and wait under no name", async () => {
  // Two browsers of one phone: the address is that of the one that called last.
  const cookies = [];
  for (let browser = 0; browser < 2; browser++) {
    const [from, own] = [
      `127.0.0.${String(10 + browser)}`,
      await callFrom({ port: app.port, from: `127.0.0.${String(10 + browser)}` }),
    ];
    const { waiting } = (await lanControl(app.url, "GET")).body;
    await lanControl(app.url, "PUT", `/devices/${waiting.find(({ address }) => address === from)?.id ?? ""}`);
    cookies.push(own.cookie ?? "");
  }
  for (const cookie of cookies)
    expect((await callFrom({ port: app.port, from: "127.0.0.9", headers: { cookie } })).status).toBe(200);

  for (let round = 0; round < 25; round++) for (const port of portsOf()) await askAndReset(port, "127.0.0.5");
  for (const port of portsOf()) expect((await callFrom({ port, from: "127.0.0.5" })).status).toBe(403);
  const { waiting } = (await lanControl(app.url, "GET")).body;
  expect(waiting.map(({ address }) => address)).toEqual(["127.0.0.5"]);
  const seen = await json<{ requests: object[] }>(callConsole(app, "GET", "/requests?path=/api/blind"));
  expect(seen.requests.filter((one) => (one as { status?: number }).status !== 403)).toEqual([]);
});
