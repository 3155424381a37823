import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { refetch } from "../refetch.ts";
import { appendOlder, fetchNewest, mergeNewer, type LiveList, type LivePage, type LiveRow } from "./live-list.ts";

export interface LiveSource<Row> {
  /** Identifies the list and its filter in the cache. */
  key: readonly unknown[];
  /** Loads the newest `pageSize` rows that match the filter, or those before an id. */
  load: (before: number | undefined, signal: AbortSignal | undefined) => Promise<LivePage<Row>>;
  pageSize: number;
  /** Subscribes to changes while the list is shown; returns the unsubscribe function. Must be stable. */
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

/** A list that is fetched, kept current, and extended by older rows on demand. */
export function useLiveList<Row extends LiveRow>(source: LiveSource<Row>) {
  const queries = useQueryClient();
  const { key, load, pageSize, listen } = source;
  const arriving = useRef<Row[] | undefined>(undefined);
  const startAnew = useRef(false);

  const query = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    // Rows keep their identity when others arrive; comparing 100,000 of them each time would gain nothing.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      // Rows that arrive while the page is fetched may be missing from it.
      const arrived: Row[] = [];
      arriving.current = arrived;
      const anew = startAnew.current;
      startAnew.current = false;
      const known = () => (anew ? undefined : queries.getQueryData<LiveList<Row>>(key));
      try {
        return mergeNewer(await fetchNewest((before) => load(before, signal), known, pageSize), arrived);
      } finally {
        if (arriving.current === arrived) arriving.current = undefined;
      }
    },
  });

  const onRows = useEffectEvent((rows: readonly Row[]) => {
    // The held rows may precede a gap. New rows on top would hide that the rows in between are still to be fetched.
    if (arriving.current !== undefined) arriving.current.push(...rows);
    else queries.setQueryData<LiveList<Row>>(key, (list) => list && mergeNewer(list, rows));
  });
  const onChange = useEffectEvent(() => void refetch(queries, key));
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

  const loading = useRef(false);
  const list = query.data;
  const loadOlder = async () => {
    const oldest = list?.rows.at(-1);
    if (!list || list.complete || !oldest || loading.current) return;
    loading.current = true;
    try {
      const page = await load(Number(oldest.id), undefined);
      queries.setQueryData<LiveList<Row>>(key, (held) => held && appendOlder(held, page, pageSize));
    } catch {
      // The top bar shows that the server is unreachable; the next scroll tries again.
    } finally {
      loading.current = false;
    }
  };
  return { list, query, loadOlder };
}
