/** A bounded queue of exchanges to be stored or delivered. When it is full, the oldest are dropped. */
import type { Exchange } from "./request-recorder.ts";

interface Bounds {
  readonly maxCalls: number;
  /** The limit for all kept bodies together. */
  readonly maxBytes: number;
}

const sizeOf = ({ requestBody, responseBody }: Exchange) => requestBody.kept + responseBody.kept;

export function createExchangeQueue({ maxCalls, maxBytes }: Bounds) {
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
    /** The number of dropped exchanges in all. */
    get dropped() {
      return dropped;
    },
    push(exchange: Exchange): void {
      waiting.push(exchange);
      bytes += sizeOf(exchange);
      makeRoom();
    },
    /** Removes and returns the oldest, as many as both limits allow, but at least one. */
    take(calls: number, limit = Number.POSITIVE_INFINITY): Exchange[] {
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
    /** Puts taken exchanges back to the front. */
    putBack(exchanges: readonly Exchange[]): void {
      waiting = [...exchanges, ...waiting];
      bytes += exchanges.reduce((sum, exchange) => sum + sizeOf(exchange), 0);
      makeRoom();
    },
  };
}
