/** Refetches visible data after a change. */
import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

interface Turn {
  /** Whether there was a change after the last fetch began. */
  again: boolean;
  readonly ended: Promise<void>;
}

/** The running refetches, by the hash of their key. */
const turns = new WeakMap<QueryClient, Map<string, Turn>>();

/** Callers that react to the same change run in one turn of the event loop, or in timers of the same moment. */
const allHaveAsked = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Fetches the queries below a key again: one fetch at a time, and a last one for the changes during it. A fetch under way
 * may have been answered before the change; in a storm of changes, cutting it off would let none come to its end. The
 * promise settles once what is there is current.
 */
export function refetch(
  queries: QueryClient,
  queryKey: QueryKey,
  fetch: () => Promise<void> = () => queries.invalidateQueries({ queryKey }, { cancelRefetch: false }),
): Promise<void> {
  const ofClient = turns.get(queries) ?? new Map<string, Turn>();
  turns.set(queries, ofClient);
  const hash = hashKey(queryKey);
  const running = ofClient.get(hash);
  if (running) {
    running.again = true;
    return running.ended;
  }
  const run = async () => {
    await allHaveAsked();
    while (turn.again) {
      turn.again = false;
      const underWay = queries.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
      await Promise.allSettled(underWay.map(({ promise }) => promise ?? Promise.resolve()));
      await fetch();
    }
    ofClient.delete(hash);
  };
  const turn: Turn = { again: true, ended: run() };
  ofClient.set(hash, turn);
  return turn.ended;
}
