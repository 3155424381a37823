import { useEffect, useState } from "react";
import { firstSeen, type LiveRow } from "./live-list.ts";

/** How long a new row stays marked; at least as long as the style sheet's animation. */
const freshMs = 1_700;
/** In a storm of events, a mark on every row would mean nothing. */
const mostMarked = 40;

/**
 * Keeps the list still for a user who has scrolled away or paused, counts the new rows above, and marks new rows for a
 * moment. `rows` is absent until loaded; `scope` names the list, so that no row counts as new when the list is switched.
 * In a sorted list no row counts as new.
 */
export function useReadingPosition<Row extends LiveRow>(
  rows: readonly Row[] | undefined,
  scope: string,
  isSorted = false,
) {
  const [leftAt, setLeftAt] = useState<number>();
  const [isPaused, setIsPaused] = useState(false);
  /** Undefined while rows are loaded: a pause keeps the first that come. */
  const [pausedAt, setPausedAt] = useState<number>();
  const [fresh, setFresh] = useState<readonly string[]>([]);
  const [topSignal, setTopSignal] = useState(0);
  const newest = isSorted ? undefined : rows && Number(rows[0]?.id ?? 0);
  const [last, setLast] = useState({ scope, newest });
  const list = rows ?? [];
  const newestSeen = isSorted ? Infinity : Math.min(leftAt ?? Infinity, pausedAt ?? Infinity);
  const unseen = firstSeen(list, newestSeen);
  // All rows that the user had seen are gone, so there is nothing to keep still.
  const waiting = unseen === list.length && newestSeen > 0 ? 0 : unseen;

  const mark = (added: readonly Row[]) =>
    setFresh((marked) => {
      const all = [...added.map((row) => String(row.id)), ...marked];
      return all.length > mostMarked ? [] : all;
    });
  if (last.scope !== scope) {
    setLast({ scope, newest });
    setLeftAt(undefined);
    setPausedAt(undefined);
  } else if (last.newest !== newest) {
    setLast({ scope, newest });
    if (last.newest !== undefined) mark(list.slice(0, firstSeen(list, last.newest)));
  } else if (isPaused && pausedAt === undefined && newest !== undefined) setPausedAt(newest);
  useEffect(() => {
    if (fresh.length === 0) return;
    const timer = setTimeout(() => setFresh([]), freshMs);
    return () => clearTimeout(timer);
  }, [fresh]);

  return {
    waiting,
    /** Properties of the table that shows the rows. */
    table: {
      rows: waiting === 0 ? list : list.slice(waiting),
      fresh: new Set(fresh),
      topSignal,
      onAway: (away: boolean) => setLeftAt((left) => (away ? (left ?? newest) : undefined)),
    },
    paused: isPaused,
    setPaused: (paused: boolean) => {
      setIsPaused(paused);
      setPausedAt(paused ? (leftAt ?? newest) : undefined);
      if (!paused) mark(list.slice(0, waiting));
    },
    /** Shows all waiting rows, and resumes a paused list. */
    backToTop: () => {
      setLeftAt(undefined);
      setIsPaused(false);
      setPausedAt(undefined);
      mark(list.slice(0, waiting));
      setTopSignal((count) => count + 1);
    },
  };
}
