/** The queries of the last orders that were asked for, in memory: verdicts ask for the last seconds, and often. */

/** Of how many orders the queries are kept in memory, and how many of each. */
const queriedOrders = 5_000;
const queriesOfOrder = 20;

/** Unix ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** @param from Unix ms at which it begins to know; others may have been asked in the same millisecond, before it */
export function createRecentQueries(from: number) {
  const spans = new Map<string, Span[]>();
  /** What ended before it (Unix ms) may have been forgotten. */
  let completeFrom = from + 1;

  const forget = (span: Span | undefined) => {
    completeFrom = Math.max(completeFrom, (span?.to ?? 0) + 1);
  };

  return {
    /** @param key of the order */
    add(key: string, span: Span): void {
      const own = spans.get(key) ?? [];
      own.push(span);
      if (own.length > queriesOfOrder) forget(own.shift());
      spans.delete(key);
      spans.set(key, own);
      if (spans.size <= queriedOrders) return;
      const [oldest = ""] = spans.keys();
      forget(spans.get(oldest)?.at(-1));
      spans.delete(oldest);
    },
    /** Undefined: it is not known any more. */
    between(key: string, from: number, to: number): boolean | undefined {
      if (spans.get(key)?.some((span) => span.to >= from && span.from <= to)) return true;
      return from >= completeFrom ? false : undefined;
    },
  };
}
