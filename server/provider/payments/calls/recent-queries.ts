/** The latest queries per order, in memory: verdicts often need those of the last seconds. */
import { NewestMap } from "../../../process/newest-map.ts";

/** The maximum number of orders, and of queries per order. */
const queriedOrders = 10_000;
const queriesOfOrder = 20;

/** Unix ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** @param from Unix ms at which the record starts; earlier queries of the same millisecond may be missing */
export function createRecentQueries(from: number) {
  /** Queries that ended before this time (Unix ms) may have been evicted. */
  let completeFrom = from + 1;
  const forget = (span: Span | undefined) => {
    completeFrom = Math.max(completeFrom, (span?.to ?? 0) + 1);
  };
  const spans = new NewestMap<string, Span[]>(queriedOrders, (dropped) => {
    for (const own of dropped.values()) forget(own.at(-1));
  });

  return {
    /** @param key of the order */
    add(key: string, span: Span): void {
      const own = spans.get(key) ?? [];
      own.push(span);
      if (own.length > queriesOfOrder) forget(own.shift());
      spans.set(key, own);
    },
    /** Undefined if the record does not go back far enough. */
    between(key: string, from: number, to: number): boolean | undefined {
      if (spans.get(key)?.some((span) => span.to >= from && span.from <= to)) return true;
      return from >= completeFrom ? false : undefined;
    },
  };
}
