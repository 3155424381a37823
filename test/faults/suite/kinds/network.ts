/** Clients and networks that cut off, delay, dawdle. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { consoleToken } from "../hearth.ts";
import type { Draw } from "../draw.ts";
import type { Fault } from "../fault.ts";
import type { World } from "../world.ts";

/** Connections that send `head` and then what `after` does, until they are given up. */
async function dawdle({ hearth }: World, draw: Draw, head: string, drip: string): Promise<void> {
  const { hostname, port } = new URL(hearth.addresses().app);
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on("error", () => undefined).pause();
    await once(socket, "connect");
    socket.write(head);
  }
  for (const end = performance.now() + draw.between(500, 1_500); performance.now() < end; await wait(100))
    for (const socket of sockets) if (drip !== "") socket.write(drip);
  for (const socket of sockets) socket.resetAndDestroy();
}

const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${consoleToken}\r\n`;

export const networkFaults: readonly Fault[] = [
  {
    name: "connections: cut",
    async happen({ clients, fileEvents, notifications }, draw) {
      for (let times = draw.between(3, 15); times > 0; times--) {
        for (const relay of [clients, fileEvents, notifications]) relay.cut();
        await wait(draw.between(10, 150));
      }
    },
  },
  {
    name: "connections: delayed",
    async happen({ clients, fileEvents, notifications }, draw) {
      const relays = [clients, fileEvents, notifications];
      for (const relay of relays) relay.delayBy(draw.between(50, 400));
      await wait(draw.between(300, 1_500));
      for (const relay of relays) relay.delayBy(0);
    },
  },
  {
    name: "slow readers",
    happen: (world, draw) =>
      dawdle(world, draw, `GET /console/api/events/stream HTTP/1.1\r\n${headers}Last-Event-ID: 0\r\n\r\n`, ""),
  },
  {
    name: "slow senders",
    happen: (world, draw) =>
      dawdle(
        world,
        draw,
        `POST /api/uploads HTTP/1.1\r\n${headers}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\n`,
        "x",
      ),
  },
];
