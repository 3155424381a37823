import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { RequestDelivery } from "../../server/contract/console/traffic/request-deliveries.ts";
import type { Exchange } from "../../server/http/recording/request-recorder.ts";
import { createDeliverExchanges } from "../../server/model/reporting/deliver-exchanges.ts";
import { listen } from "../support/process/listen.ts";
import { quietLog } from "../support/quiet-log.ts";
import { gate } from "../support/model/scripted-engine.ts";

const captured = (text: string) => ({ chunks: [text], kept: text.length, size: text.length });
const span = { traceId: "a".repeat(32), spanId: "b".repeat(16), flags: "01" };
const exchange = (target: string, body = ""): Exchange => ({
  service: "model",
  time: 1,
  ms: 2,
  method: "POST",
  target,
  requestHeaders: ["Host", "a"],
  requestBody: captured(body),
  client: "127.0.0.1",
  status: 200,
  responseHeaders: { "content-type": "text/plain", "x-none": undefined },
  responseBody: captured("answer"),
  complete: true,
  notes: { requestId: "r-1", span },
});

/** An application server that answers deliveries as `answer` says, and the delivery to it. */
async function setUp(
  answer: () => Promise<number> | number,
  limits: NonNullable<Parameters<typeof createDeliverExchanges>[0]["limits"]> = {},
) {
  const messages: RequestDelivery[] = [];
  const tokens = new Set<string | undefined>();
  const app = await listen((req, res) => {
    void (async () => {
      tokens.add(req.headers.authorization);
      const message = (await json(req)) as RequestDelivery;
      const status = await answer();
      if (status < 300) messages.push(message);
      res.writeHead(status).end();
    })();
  });
  const delivery = createDeliverExchanges({ appUrl: () => app.url, token: "secret", log: quietLog, limits });
  return {
    messages,
    tokens,
    delivery,
    targets: () => messages.flatMap(({ exchanges }) => exchanges.map(({ target }) => target)),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${String(index)}`);

describe("the delivery of recorded calls", () => {
  it("sends a call with its bodies to the application server, with the run's token", async () => {
    await using server = await setUp(() => 202);
    server.delivery.take(exchange("/a?b", "图"));
    await expect.poll(() => server.messages.length).toBe(1);
    expect(server.messages[0]).toEqual({
      service: "model",
      dropped: 0,
      exchanges: [
        {
          time: 1,
          ms: 2,
          method: "POST",
          target: "/a?b",
          request_headers: ["Host", "a"],
          request_body: { size: 1, base64: Buffer.from("图").toString("base64") },
          client: "127.0.0.1",
          request_id: "r-1",
          span,
          status: 200,
          response_headers: { "content-type": "text/plain" },
          response_body: { size: 6, base64: Buffer.from("answer").toString("base64") },
          complete: true,
        },
      ],
    });
    expect([...server.tokens]).toEqual(["Bearer secret"]);
  });

  it("sends what comes while a message is on its way with the next one", async () => {
    const held = gate();
    await using server = await setUp(async () => {
      await held.opened;
      return 202;
    });
    for (const target of numbers(50)) server.delivery.take(exchange(target));
    held.open();
    await expect.poll(() => server.targets()).toEqual(numbers(50));
    expect(server.messages.map(({ exchanges }) => exchanges.length)).toEqual([1, 49]);
  });

  it("puts no more than a megabyte into a message, unless one call alone is larger", async () => {
    await using server = await setUp(() => 202);
    for (const target of numbers(5)) server.delivery.take(exchange(target, "x".repeat(700_000)));
    server.delivery.take(exchange("/large", "x".repeat(3_000_000)));
    await expect.poll(() => server.targets()).toEqual([...numbers(5), "/large"]);
    expect(server.messages.map(({ exchanges }) => exchanges.length)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("loses nothing, and keeps the order, while the application server is away", async () => {
    const answers = [503, 500, 503];
    await using server = await setUp(() => answers.shift() ?? 202);
    for (const target of numbers(10)) server.delivery.take(exchange(target));
    await expect.poll(() => server.targets()).toEqual(numbers(10));
  });

  it("drops the oldest beyond its bounds, and reports how many", async () => {
    const held = gate();
    await using server = await setUp(
      async () => {
        await held.opened;
        return 202;
      },
      { maxCalls: 10 },
    );
    for (const target of numbers(100)) server.delivery.take(exchange(target));
    held.open();
    await expect.poll(() => server.targets().at(-1)).toBe("/99");
    const [first, ...kept] = server.targets();
    expect(first).toBe("/0"); // it was on its way already
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(kept).toEqual(numbers(100).slice(-kept.length));
    expect(server.messages.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(99 - kept.length);
  });

  it("gives up calls that are refused, and goes on with the others", async () => {
    const answers = [400];
    await using server = await setUp(() => answers.shift() ?? 202);
    server.delivery.take(exchange("/refused"));
    server.delivery.take(exchange("/taken"));
    await expect.poll(() => server.targets()).toEqual(["/taken"]);
    expect(server.messages[0]?.dropped).toBe(1);
  });

  it("has delivered all when it is closed, after failures too", async () => {
    const answers = [503, 503];
    await using server = await setUp(() => answers.shift() ?? 202, { closeWithinMs: 60_000 });
    for (const target of numbers(1000)) server.delivery.take(exchange(target));
    await server.delivery.close();
    expect(server.targets()).toEqual(numbers(1000));
  });

  it("closes when the receiver does not answer", async () => {
    await using server = await setUp(() => 503, { closeWithinMs: 50 });
    server.delivery.take(exchange("/never"));
    await server.delivery.close();
    expect(server.targets()).toEqual([]);
  });
});
