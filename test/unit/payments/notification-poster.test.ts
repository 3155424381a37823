/** How notifications are sent to a receiver that refuses a body before it has read it. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createTargets } from "../../../server/http/outgoing/targets.ts";
import { createNotificationPoster } from "../../../server/provider/payments/notifier/post-notification.ts";

it("takes the answer of a receiver that closes the connection at once, and sends nothing twice", async () => {
  const paths: string[] = [];
  const sockets: Socket[] = [];
  const receiver = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    socket.on("data", (bytes) => {
      const path = /^POST (\S+)/.exec(bytes.toString("latin1"))?.[1];
      if (path === undefined) return;
      paths.push(path);
      if (path === "/huge") socket.pause();
      socket.write(`HTTP/1.1 ${path === "/huge" ? "413 Too Large" : "200 OK"}\r\nContent-Length: 0\r\n\r\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const poster = createNotificationPoster(createTargets([]));
  onTestFinished(() => {
    poster.close();
    receiver.close();
    for (const socket of sockets) socket.destroy();
  });
  const send = async (path: string, body: string) => {
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}${path}`;
    const reply = await poster.post(url, "here", { headers: {}, body }, 60_000);
    return reply.kind === "answered" ? reply.status : reply;
  };

  expect(await send("/first", "x")).toBe(200);
  expect(await send("/huge", "x".repeat(10_000_000))).toBe(413);
  expect(sockets).toHaveLength(1);
  sockets[0]?.resetAndDestroy();
  // The connection's end comes before the answers to what is sent now.
  expect([await send("/third", "x"), await send("/fourth", "x")]).toEqual([200, 200]);
  expect(paths).toEqual(["/first", "/huge", "/third", "/fourth"]);
});
