import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { RouteCalls, Traffic } from "../../contract/console/traffic/histogram.ts";
import type { RecordingState } from "../../contract/console/traffic/requests.ts";
import { createExchangeQueue } from "../../http/recording/exchange-queue.ts";
import type { Exchange } from "../../http/recording/request-recorder.ts";
import { startSharedTimer } from "../../trace/span.ts";
import type { RequestStore } from "./store/request-store.ts";
import { valueIn } from "./exchange-parts.ts";
import { createRouteCalls } from "./route-calls.ts";
import { senderOf } from "./sender-of.ts";
import { TraceFlows } from "./trace-flows.ts";
import { createTrafficMeter, type TrafficMeter } from "./traffic-meter.ts";
import { recordExchange, type Hiding } from "./record-exchange.ts";

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

/**
 * Takes exchanges as they end and stores them in batches soon after, so that no request waits for the record of
 * another.
 */
export class Recorder {
  readonly #deps: Deps;
  readonly #listeners = new Set<() => void>();
  readonly #expected = new Map<string, { replayOf: number | undefined; stored: (id: number) => void }>();
  readonly #waiting = createExchangeQueue(bounds);
  readonly #meter: TrafficMeter;
  readonly #routeCalls = createRouteCalls();
  readonly #flows = new TraceFlows();
  /** Counts exchanges that were lost before they came here or could not be stored. The queue counts those it drops. */
  #lost = 0;
  #failing = false;
  #lastId: number;
  /** Counts the exchanges that were taken since the start. */
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#meter = createTrafficMeter(deps.now);
    this.#lastId = deps.store.totals().newestId;
  }

  take(exchange: Exchange): void {
    this.#meter.count(exchange, senderOf(exchange));
    this.#routeCalls.count(exchange);
    this.#taken++;
    this.#waiting.push(exchange);
    if (!this.#timer) this.#timer = startSharedTimer(() => this.#storeSoon(), flushMs);
  }

  /** Counts exchanges that were lost before they came here. */
  countDropped(count: number): void {
    this.#lost += count;
  }

  /** Resolves when everything taken so far is stored. */
  async flush(): Promise<void> {
    const last = this.#taken;
    while (this.#taken - this.#waiting.length < last) {
      this.#storeBatch();
      this.#notify();
      if (this.#taken - this.#waiting.length < last) await setImmediate();
    }
  }

  /**
   * Announces a request with this X-Request-Id, and which recorded one it repeats, if any. Resolves to the id of its
   * record once that is stored.
   */
  expect(requestId: string, replayOf?: number): Promise<number> {
    const { promise, resolve: stored } = Promise.withResolvers<number>();
    this.#expected.set(requestId, { replayOf, stored });
    return promise;
  }

  /** Expects a request no longer. */
  forget(requestId: string): void {
    this.#expected.delete(requestId);
  }

  /** Calls `listen` whenever exchanges were stored or removed. */
  onChange(listen: () => void): () => void {
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  }

  /** Removes all exchanges and returns their number. */
  async clear(): Promise<number> {
    await this.flush();
    const removed = await this.#deps.store.clear();
    this.#notify();
    return removed;
  }

  async delete(id: number): Promise<boolean> {
    await this.flush();
    const removed = this.#deps.store.delete(id);
    if (removed) this.#notify();
    return removed;
  }

  /** Returns recent exchanges, stored or not. */
  traffic(): Traffic {
    return this.#meter.read();
  }

  /** Returns all exchanges since the start, by route. */
  routeCalls(): RouteCalls {
    return this.#routeCalls.read();
  }

  state(): RecordingState {
    const { rows, newestId } = this.#deps.store.totals();
    return { newest_id: newestId, total: rows, dropped: this.#waiting.dropped + this.#lost };
  }

  #notify(): void {
    for (const listen of this.#listeners) listen();
  }

  /** Returns rows, and the calls to make once they are stored. */
  #rowsOf(exchanges: readonly Exchange[]) {
    const afterwards: (() => void)[] = [];
    const rows = exchanges.map((exchange) => {
      const id = ++this.#lastId;
      const requestId = this.#expected.size === 0 ? "" : valueIn(exchange.requestHeaders, "x-request-id");
      const known = this.#expected.get(requestId);
      if (known) {
        this.#expected.delete(requestId);
        afterwards.push(() => known.stored(id));
      }
      return recordExchange(
        exchange,
        id,
        { replayOf: known?.replayOf, flow: this.#flows.flowOf(exchange, id) },
        this.#deps.hiding,
      );
    });
    return { rows, afterwards };
  }

  #storeBatch(): void {
    const { store, log } = this.#deps;
    const taken = this.#waiting.take(batch.calls, batch.bytes);
    try {
      const { rows, afterwards } = this.#rowsOf(taken);
      store.insert(rows, this.#flows.takeTies());
      for (const report of afterwards) report();
      this.#failing = false;
    } catch (error) {
      this.#lost += taken.length;
      if (!this.#failing) log.error({ err: error }, "requests cannot be recorded");
      this.#failing = true;
    }
  }

  #storeSoon(): void {
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    this.#storeBatch();
    this.#notify();
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#storeSoon(), 0);
  }
}
