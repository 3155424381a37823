import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { refetch } from "../refetch.ts";
import { fetchNewest, fetchSorted, mergeNewer, type LiveList, type LiveRow } from "./live-list.ts";
import { useLiveList, type LiveSource } from "./use-live-list.ts";

/** A sorted list is fetched anew with new rows, but not more often. */
const sortedEveryMs = 2_000;

interface AppendOnlySource<Row> extends Omit<LiveSource<LiveList<Row>>, "fetchCurrent"> {
  /** Subscribes to changes while the list is visible; returns the unsubscribe function. Must be stable. */
  listen: (changes: LiveChanges<Row>) => () => void;
}

export interface LiveChanges<Row> {
  /** New rows that match the filter. */
  rows: (arrived: readonly Row[]) => void;
  /** Something is new, or may have been missed: the newest rows are fetched. */
  changed: () => void;
  /** Rows were removed: all are fetched again. */
  removed: () => void;
}

/** A live list whose rows never change. */
export function useAppendOnlyList<Row extends LiveRow>({ key, load, listen, isSorted = false }: AppendOnlySource<Row>) {
  const queries = useQueryClient();
  const arriving = useRef<Row[] | undefined>(undefined);
  const startAnew = useRef(false);
  const live = useLiveList<Row, LiveList<Row>>({
    ...{ key, load, isSorted },
    async fetchCurrent(loadPage, held) {
      if (isSorted) return fetchSorted<Row, LiveList<Row>>(loadPage, held());
      // Rows that arrive while the page is fetched may be missing from it.
      const arrived: Row[] = [];
      arriving.current = arrived;
      const anew = startAnew.current;
      startAnew.current = false;
      try {
        return mergeNewer(await fetchNewest(loadPage, anew ? () => undefined : held), arrived);
      } finally {
        if (arriving.current === arrived) arriving.current = undefined;
      }
    },
  });

  const refetchAll = useThrottledCallback(() => void refetch(queries, key), isSorted ? sortedEveryMs : 0);
  const onChange = useEffectEvent(refetchAll);
  const onRows = useEffectEvent((rows: readonly Row[]) => {
    // The held rows may precede a gap. New rows on top would hide that the rows in between are still to be fetched.
    if (isSorted) refetchAll();
    else if (arriving.current !== undefined) arriving.current.push(...rows);
    else queries.setQueryData<LiveList<Row>>(key, (list) => list && mergeNewer(list, rows));
  });
  useEffect(
    () =>
      listen({
        rows: (rows) => onRows(rows),
        changed: () => onChange(),
        removed: () => {
          startAnew.current = true;
          onChange();
        },
      }),
    [listen],
  );
  return live;
}
