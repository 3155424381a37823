/** Takes calls as they end and stores them soon after, many at a time: no call waits for the record of another. */
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { RecordingState, Traffic } from "../../contract/console/requests.ts";
import { createExchangeQueue } from "../../http/recording/exchange-queue.ts";
import type { Exchange } from "../../http/recording/request-recorder.ts";
import type { RequestStore } from "./store/request-store.ts";
import { createTrafficMeter } from "./traffic-meter.ts";
import { recordExchange, type Hiding } from "./record-exchange.ts";

export interface Recorder {
  take: (exchange: Exchange) => void;
  /** Counts calls that were lost before they came here. */
  countDropped(count: number): void;
  /** Settles when what has been taken so far is stored. */
  flush: () => Promise<void>;
  /**
   * Tells that the call with this X-Request-Id is about to come, and which recorded one it repeats, if any. Answers the id
   * of its record once it is stored.
   */
  expect(requestId: string, replayOf?: number): Promise<number>;
  /** Calls `listen` whenever calls have been stored or removed. */
  onChange(listen: () => void): () => void;
  /** Removes all; see RequestStore. */
  clear: () => Promise<number>;
  delete(id: number): Promise<boolean>;
  state(): RecordingState;
  /** What came lately, whether it has been stored or not. */
  traffic: () => Traffic;
}

interface Deps {
  readonly store: RequestStore;
  readonly hiding: Hiding;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** So long may a call wait for others to be stored with. */
const flushMs = 20;
/** So many, with so many bytes of bodies, are stored at once, which takes a few ms: what other calls then wait for. */
const batch = { calls: 200, bytes: 1024 * 1024 };
/** What may wait. */
const bounds = { maxCalls: 4_000, maxBytes: 64 * 1024 * 1024 };

export function createRecorder({ store, hiding, log, now }: Deps): Recorder {
  const listeners = new Set<() => void>();
  const expected = new Map<string, { replayOf: number | undefined; stored: (id: number) => void }>();
  const waiting = createExchangeQueue(bounds);
  const meter = createTrafficMeter(now);
  /** Beside those that waited too long: lost before they came here, or not to be stored. */
  let lost = 0;
  let failing = false;
  let lastId = store.totals().newestId;
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;

  const changed = () => {
    for (const listen of listeners) listen();
  };

  /** Rows, and what is to be done once they are stored. */
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
      return recordExchange(exchange, id, known?.replayOf, hiding);
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
      meter.count(exchange);
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
    state() {
      const { rows, newestId } = store.totals();
      return { newest_id: newestId, total: rows, dropped: waiting.dropped + lost };
    },
  };
}
