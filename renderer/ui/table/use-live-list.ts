import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { appendOlder, appendSorted, type LiveRow, type LoadPage, type RowPage } from "./live-list.ts";

export interface LiveSource<List> {
  /** Identifies the list and its filter in the cache. */
  key: readonly unknown[];
  /** Loads the first page of rows that match the filter, or the one after a cursor. */
  load: (cursor: number | undefined, signal: AbortSignal | undefined) => Promise<List>;
  /** Brings the held list up to date. `held` may grow meanwhile. */
  fetchCurrent: (load: LoadPage<List>, held: () => List | undefined) => Promise<List>;
  /** Whether the rows are in another order than the newest first. */
  isSorted?: boolean;
}

/** A list of the newest rows, extended by older ones on demand. */
export function useLiveList<Row extends LiveRow, List extends RowPage<Row>>(source: LiveSource<List>) {
  const queries = useQueryClient();
  const { key, load, fetchCurrent, isSorted = false } = source;
  const query = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    // Rows keep their identity when others arrive; comparing 100,000 of them each time would gain nothing.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      fetchCurrent(
        (cursor) => load(cursor, signal),
        () => queries.getQueryData<List>(key),
      ),
  });
  const list = query.data;
  const loading = useRef(false);
  const loadOlder = async () => {
    const oldest = list?.rows.at(-1);
    if (!list || list.complete || !oldest || loading.current) return;
    loading.current = true;
    try {
      const page = await load(isSorted ? list.rows.length : Number(oldest.id), undefined);
      const append = isSorted ? appendSorted<Row, List> : appendOlder<Row, List>;
      queries.setQueryData<List>(key, (held) => held && append(held, page));
    } catch {
      // The top bar shows that the server is unreachable; the next scroll tries again.
    } finally {
      loading.current = false;
    }
  };
  return { list, query, loadOlder };
}
