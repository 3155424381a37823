/** A bounded queue of exchanges to be stored or delivered. When it is full, the oldest are dropped. */
import type { Exchange } from "./request-recorder.ts";

export interface ExchangeQueue {
  readonly length: number;
  /** The number of dropped exchanges in all. */
  readonly dropped: number;
  push(exchange: Exchange): void;
  /** Removes and returns the oldest, as many as both limits allow, but at least one. */
  take(maxCalls: number, maxBytes?: number): Exchange[];
  /** Puts taken exchanges back to the front. */
  putBack(exchanges: readonly Exchange[]): void;
}

interface Bounds {
  readonly maxCalls: number;
  /** The limit for all kept bodies together. */
  readonly maxBytes: number;
}

const sizeOf = ({ requestBody, responseBody }: Exchange) => requestBody.kept + responseBody.kept;

export function createExchangeQueue({ maxCalls, maxBytes }: Bounds): ExchangeQueue {
  let waiting: Exchange[] = [];
  let bytes = 0;
  let dropped = 0;

  /** Drops a tenth more than needed, because dropping one would copy all others at every call. */
  function makeRoom(): void {
    if (waiting.length <= maxCalls && bytes <= maxBytes) return;
    let count = 0;
    while (waiting.length - count > 0.9 * maxCalls || (bytes > 0.9 * maxBytes && count < waiting.length - 1)) {
      const oldest = waiting[count++];
      if (oldest) bytes -= sizeOf(oldest);
    }
    waiting = waiting.slice(count);
    dropped += count;
  }

  return {
    get length() {
      return waiting.length;
    },
    get dropped() {
      return dropped;
    },
    push(exchange) {
      waiting.push(exchange);
      bytes += sizeOf(exchange);
      makeRoom();
    },
    take(calls, limit = Number.POSITIVE_INFINITY) {
      let taken = 0;
      let count = 0;
      for (const exchange of waiting) {
        if (count === calls || (count > 0 && taken + sizeOf(exchange) > limit)) break;
        taken += sizeOf(exchange);
        count++;
      }
      bytes -= taken;
      return waiting.splice(0, count);
    },
    putBack(exchanges) {
      waiting = [...exchanges, ...waiting];
      bytes += exchanges.reduce((sum, exchange) => sum + sizeOf(exchange), 0);
      makeRoom();
    },
  };
}
