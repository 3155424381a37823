/**
 * Delivers exchanges to the application server, which records them: soon, in batches, and without delaying requests.
 * Undelivered ones wait within limits; beyond these the oldest are dropped and counted.
 */
import { setTimeout } from "node:timers/promises";
import type { ExchangeDelivery, RequestDelivery } from "../../contract/console/traffic/request-deliveries.ts";
import { createExchangeQueue } from "../../http/recording/exchange-queue.ts";
import type { CapturedBody, Exchange } from "../../http/recording/request-recorder.ts";
import { afterRunning } from "../../time/after-running.ts";
import { newSpan, runInSpan } from "../../trace/span.ts";
import type { Log } from "../../process/log.ts";

export interface DeliverExchanges {
  readonly take: (exchange: Exchange) => void;
  /** Resolves when all is delivered, or a time limit has passed. */
  readonly close: () => Promise<void>;
}

interface Options {
  /** Base URL of the application server. */
  readonly appUrl: () => string | undefined;
  /** The run's console token. */
  readonly token: string;
  readonly log: Log;
  readonly limits?: Partial<typeof defaults>;
}

const defaults = { maxCalls: 4_000, maxBytes: 64 * 1024 * 1024, closeWithinMs: 2_000 };
/** The limit of a message, because the application server reads one at a time while others wait. */
const batchCalls = 200;
const batchBytes = 1024 * 1024;
const patienceMs = 10_000;
const firstPauseMs = 50;
const longestPauseMs = 2_000;

const deliveredBody = ({ chunks, size }: CapturedBody) => ({
  size,
  base64: Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk))).toString(
    "base64",
  ),
});

const delivered = (exchange: Exchange): ExchangeDelivery => ({
  time: exchange.time,
  ms: exchange.ms,
  method: exchange.method,
  target: exchange.target,
  request_headers: [...exchange.requestHeaders],
  request_body: deliveredBody(exchange.requestBody),
  client: exchange.client,
  request_id: exchange.notes.requestId ?? "",
  span: exchange.notes.span ?? newSpan(),
  ...(exchange.status !== undefined && { status: exchange.status }),
  response_headers: Object.fromEntries(
    Object.entries(exchange.responseHeaders).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  response_body: deliveredBody(exchange.responseBody),
  ...(exchange.responseChunks && { response_chunks: [...exchange.responseChunks] }),
  complete: exchange.complete,
});

export function createDeliverExchanges({ appUrl, token, log, limits }: Options): DeliverExchanges {
  const { closeWithinMs, ...bounds } = { ...defaults, ...limits };
  const closing = new AbortController();
  const queue = createExchangeQueue(bounds);
  /** Exchanges that the server refused. */
  let refused = 0;
  /** Lost exchanges that were reported to the application server. */
  let reported = 0;
  let isOver = false;
  let running: Promise<void> | undefined;

  /** True when the batch need not be sent again. */
  async function send(batch: readonly Exchange[]): Promise<boolean> {
    const url = appUrl();
    if (url === undefined) return false;
    const lost = queue.dropped + refused;
    const message: RequestDelivery = { service: "model", exchanges: batch.map(delivered), dropped: lost - reported };
    const reply = await fetch(new URL("/console/api/requests/deliveries", url), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => undefined);
    if (!reply) return false;
    const why = (await reply.text().catch(() => "")).slice(0, 500);
    if (reply.ok) reported = lost;
    else if (reply.status < 500) {
      log.warn({ status: reply.status, why }, "the application server does not accept recorded requests");
      refused += batch.length;
    }
    return reply.status < 500;
  }

  async function run(): Promise<void> {
    let pause = firstPauseMs;
    while (queue.length > 0 && !isOver) {
      const batch = queue.take(batchCalls, batchBytes);
      if (await send(batch)) pause = firstPauseMs;
      else {
        queue.putBack(batch);
        // The server may be restarting. During close the pauses are short.
        await setTimeout(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
        if (closing.signal.aborted) await setTimeout(firstPauseMs);
        pause = Math.min(2 * pause, longestPauseMs);
      }
    }
    running = undefined;
  }

  return {
    take(exchange) {
      queue.push(exchange);
      running ??= runInSpan(undefined, run);
    },
    async close() {
      closing.abort();
      const late = Promise.withResolvers<void>();
      const timer = afterRunning(closeWithinMs, late.resolve);
      await Promise.race([running, late.promise]);
      clearInterval(timer);
      isOver = true;
    },
  };
}
