import { useEffect, useState } from "react";
import type { CloudEvent } from "../../../server/contract/events.ts";
import { firstSeen } from "./event-list.ts";

/** How long a new row stays marked; the style sheet's animation is no longer than this. */
const freshMs = 1_700;
/** In a storm of events a mark on every row would say nothing. */
const mostMarked = 40;

/**
 * Keeps the text still under a reader who has left the top, counts what waits above, and marks new rows for a moment.
 * `events` is absent until it is loaded; `scope` names the list, so that another one does not count as news.
 */
export function useReadingPosition(events: readonly CloudEvent[] | undefined, scope: string | undefined) {
  const [newestSeen, setNewestSeen] = useState<string>();
  const [fresh, setFresh] = useState<readonly string[]>([]);
  const [topSignal, setTopSignal] = useState(0);
  const newest = events && (events[0]?.id ?? "0");
  const [last, setLast] = useState({ scope, newest });
  const list = events ?? [];
  const waiting = firstSeen(list, newestSeen);

  const mark = (rows: readonly CloudEvent[]) =>
    setFresh((marked) => {
      const all = [...rows.map((event) => event.id), ...marked];
      return all.length > mostMarked ? [] : all;
    });
  if (last.scope !== scope) {
    setLast({ scope, newest });
    setNewestSeen(undefined);
  } else if (last.newest !== newest) {
    setLast({ scope, newest });
    if (last.newest !== undefined) mark(list.slice(0, firstSeen(list, last.newest)));
  }
  useEffect(() => {
    if (fresh.length === 0) return;
    const timer = setTimeout(() => setFresh([]), freshMs);
    return () => clearTimeout(timer);
  }, [fresh]);

  return {
    shown: waiting === 0 ? list : list.slice(waiting),
    waiting,
    fresh: new Set(fresh),
    topSignal,
    backToTop: () => {
      setNewestSeen(undefined);
      mark(list.slice(0, waiting));
      setTopSignal((count) => count + 1);
    },
    onAway: (away: boolean) => setNewestSeen((seen) => (away ? (seen ?? newest) : undefined)),
  };
}
