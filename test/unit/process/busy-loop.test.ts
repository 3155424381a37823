import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { leavingLoopFree, loopDelay, threadTime } from "../../support/busy-loop.ts";

/** Works for so many ms. */
function work(ms: number): void {
  const busyFor = threadTime();
  while (busyFor() < ms);
}

it("a busy loop is reported each time the work is too long, and not for work that was slow once", async () => {
  await expect(leavingLoopFree(() => work(60), threadTime, 50)).rejects.toThrow(/^keeps the event loop busy for /);
  let times = 0;
  const longAtFirst = () => (times++ === 0 ? work(60) : undefined);
  await expect(leavingLoopFree(longAtFirst, threadTime, 50)).resolves.toBeUndefined();
  expect(times).toBe(2);
});

it("a watched call returns the result of the work, and throws its error", async () => {
  expect(await leavingLoopFree(() => "done")).toBe("done");
  const fault = new Error("own");
  await expect(leavingLoopFree(() => Promise.reject(fault))).rejects.toBe(fault);
});

it("a busy loop is reported for a server in the same process that handles a request", async () => {
  const server = createServer((_req, res) => {
    work(60);
    res.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = async () => (await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)).text();
  await expect(leavingLoopFree(ask, loopDelay(), 40)).rejects.toThrow(/^keeps the event loop busy for /);
  server.closeAllConnections();
  server.close();
});
