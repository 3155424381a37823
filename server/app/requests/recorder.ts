/**
 * Takes exchanges as they end and stores them in batches soon after, so that no request waits for the record of
 * another.
 */
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { RouteCalls, Traffic } from "../../contract/console/traffic/histogram.ts";
import type { RecordingState } from "../../contract/console/traffic/requests.ts";
import { createExchangeQueue } from "../../http/recording/exchange-queue.ts";
import type { Exchange } from "../../http/recording/request-recorder.ts";
import type { RequestStore } from "./store/request-store.ts";
import { createFlows } from "./flows.ts";
import { createRouteCalls } from "./route-calls.ts";
import { senderOf } from "./sender-of.ts";
import { createTrafficMeter } from "./traffic-meter.ts";
import { recordExchange, type Hiding } from "./record-exchange.ts";

export interface Recorder {
  take: (exchange: Exchange) => void;
  /** Counts exchanges that were lost before they came here. */
  countDropped(count: number): void;
  /** Resolves when everything taken so far is stored. */
  flush: () => Promise<void>;
  /**
   * Announces a request with this X-Request-Id, and which recorded one it repeats, if any. Resolves to the id of its
   * record once that is stored.
   */
  expect(requestId: string, replayOf?: number): Promise<number>;
  /** Expects a request no longer. */
  forget(requestId: string): void;
  /** Calls `listen` whenever exchanges were stored or removed. */
  onChange(listen: () => void): () => void;
  /** Removes all; see RequestStore. */
  clear: () => Promise<number>;
  delete(id: number): Promise<boolean>;
  state(): RecordingState;
  /** Recent exchanges, stored or not. */
  traffic: () => Traffic;
  /** All exchanges since the start, by route. */
  routeCalls: () => RouteCalls;
}

interface Deps {
  readonly store: RequestStore;
  readonly hiding: Hiding;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The longest time that an exchange waits for others, to be stored with them. */
const flushMs = 20;
/** The largest batch. Storing it takes a few ms, which delays requests. */
const batch = { calls: 200, bytes: 1024 * 1024 };
/** Limits of the waiting exchanges. */
const bounds = { maxCalls: 4_000, maxBytes: 64 * 1024 * 1024 };

export function createRecorder({ store, hiding, log, now }: Deps): Recorder {
  const listeners = new Set<() => void>();
  const expected = new Map<string, { replayOf: number | undefined; stored: (id: number) => void }>();
  const waiting = createExchangeQueue(bounds);
  const meter = createTrafficMeter(now);
  const routeCalls = createRouteCalls();
  const flows = createFlows();
  /**
   * Exchanges that were lost before they came here or could not be stored. Those dropped from the queue are counted
   * apart.
   */
  let lost = 0;
  let failing = false;
  let lastId = store.totals().newestId;
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;

  const changed = () => {
    for (const listen of listeners) listen();
  };

  /** Rows, and the work for after they are stored. */
  function rowsOf(exchanges: readonly Exchange[]) {
    const afterwards: (() => void)[] = [];
    const rows = exchanges.map((exchange) => {
      const id = ++lastId;
      const requestId = String(exchange.responseHeaders["x-request-id"] ?? "");
      const known = expected.get(requestId);
      if (known) {
        expected.delete(requestId);
        afterwards.push(() => known.stored(id));
      }
      return recordExchange(exchange, id, { replayOf: known?.replayOf, flow: flows.flowOf(exchange, id) }, hiding);
    });
    return { rows, afterwards };
  }

  function storeBatch(): void {
    const taken = waiting.take(batch.calls, batch.bytes);
    try {
      const { rows, afterwards } = rowsOf(taken);
      store.insert(rows);
      for (const report of afterwards) report();
      failing = false;
    } catch (error) {
      lost += taken.length;
      if (!failing) log.error({ err: error }, "requests cannot be recorded");
      failing = true;
    }
  }

  /** One batch in a turn of the event loop. */
  async function flush(): Promise<void> {
    const last = taken;
    while (taken - waiting.length < last) {
      storeBatch();
      changed();
      if (taken - waiting.length < last) await setImmediate();
    }
  }

  function storeSoon(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    storeBatch();
    changed();
    if (waiting.length > 0) timer = setTimeout(storeSoon, 0);
  }

  return {
    take(exchange) {
      meter.count(exchange, senderOf(exchange));
      routeCalls.count(exchange);
      taken++;
      waiting.push(exchange);
      timer ??= setTimeout(storeSoon, flushMs);
    },
    countDropped(count) {
      lost += count;
    },
    flush,
    expect(requestId, replayOf) {
      const { promise, resolve: stored } = Promise.withResolvers<number>();
      expected.set(requestId, { replayOf, stored });
      return promise;
    },
    forget: (requestId) => void expected.delete(requestId),
    onChange(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    async clear() {
      await flush();
      const removed = await store.clear();
      changed();
      return removed;
    },
    async delete(id) {
      await flush();
      const removed = store.delete(id);
      if (removed) changed();
      return removed;
    },
    traffic: meter.read,
    routeCalls: routeCalls.read,
    state() {
      const { rows, newestId } = store.totals();
      return { newest_id: newestId, total: rows, dropped: waiting.dropped + lost };
    },
  };
}
