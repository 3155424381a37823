import { useEffect, useState } from "react";
import type { FaultRow } from "./fault-row.ts";

/** How long a row is highlighted; the table's animation is not longer. */
const freshMs = 1_700;

/** The faults with hits since the last look. */
export function useFreshHits(rows: readonly FaultRow[] | undefined): ReadonlySet<string> {
  const [last, setLast] = useState(rows);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  if (last !== rows) {
    setLast(rows);
    const before = new Map(last?.map(({ key, hits }) => [key, hits]));
    const hit = (rows ?? []).filter(({ key, hits }) => hits > (before.get(key) ?? hits)).map(({ key }) => key);
    if (hit.length > 0) setFresh(new Set(hit));
  }
  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(new Set()), freshMs);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}
