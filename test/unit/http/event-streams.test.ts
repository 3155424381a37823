import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { createEventStreams } from "../../../server/http/connection/bodies/event-streams.ts";

it("a stream that was ended takes no more, while its last bytes are still on their way", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const server = createServer();
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const reply = fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    const [req, res] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
    const failures: unknown[] = [];
    res.on("error", (error) => failures.push(error));
    const streams = createEventStreams(1);
    const stream = streams.open(req, res);
    expect([stream?.isReady(), res.closed]).toEqual([true, false]);
    streams.close();
    expect([stream?.isReady(), res.closed]).toEqual([false, false]);
    stream?.write(Buffer.from("data: too late\n\n"));
    vi.advanceTimersToNextTimer(); // a heartbeat
    expect(await (await reply).text()).toBe("retry: 1000\n\n");
    expect(failures).toEqual([]);
  } finally {
    vi.useRealTimers();
    server.close();
  }
});
