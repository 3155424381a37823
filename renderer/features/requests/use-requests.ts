import { keepPreviousData, skipToken, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import {
  getRequest,
  getRequestHistogram,
  listRequests,
} from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../../api/use-api.ts";
import { nullIfGone } from "../../api/http/console-error.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";
import { pageStart } from "../../ui/table/live-list.ts";
import { useAppendOnlyList, type LiveChanges } from "../../ui/table/use-append-only-list.ts";
import type { Pin } from "./pinned-requests.ts";
import { listenToRecording } from "./recording-stream.ts";
import { filterOf } from "./request-filter.ts";
import type { RequestsSearch } from "./requests-search.ts";

const pageSize = 200;
const mostOfTrace = 500;
const bars = 120;
const histogramEveryMs = 2_000;
const droppedKey = ["requests-dropped"];

/** The recorded requests that match the address's filter: fetched, then live, then older ones on demand. */
export function useRequests(search: RequestsSearch) {
  const { call, openStream } = useApi();
  const queries = useQueryClient();
  const { data: dropped = 0 } = useQuery({ queryKey: droppedKey, queryFn: skipToken, initialData: 0 });
  const filter = filterOf(search);
  const sort = search.view === undefined ? search.sort : undefined;
  const scope = JSON.stringify([filter, sort]);
  const listen = useCallback(
    (changes: LiveChanges<RecordedSummary>) => listenToRecording(openStream, changes),
    [openStream],
  );
  const live = useAppendOnlyList<RecordedSummary>({
    key: ["requests", scope],
    listen,
    isSorted: sort !== undefined,
    async load(cursor, signal) {
      const query = { ...filter, ...pageStart(sort, cursor), limit: pageSize };
      const { requests, total, dropped } = await call(listRequests, { query, signal });
      queries.setQueryData(droppedKey, dropped);
      return { rows: requests, total, complete: requests.length < pageSize };
    },
  });
  return { ...live, scope, sort, dropped };
}

/** How many of the recorded requests that match the address's filter there are over time. */
export function useRequestHistogram(search: RequestsSearch) {
  const { call } = useApi();
  const filter = filterOf(search);
  const key = ["requests-histogram", filter];
  useRefetchOnActivity(key, histogramEveryMs);
  return useQuery({
    queryKey: key,
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getRequestHistogram, { query: { ...filter, bars }, signal }),
  });
}

/** A complete request. Null: it is no longer stored. */
export function useRecordedRequest(id: string | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["request", id],
    enabled: id !== undefined,
    gcTime: 60_000,
    queryFn: ({ signal }) => nullIfGone(call(getRequest, { params: { id: Number(id) }, signal })),
  });
}

/** The recorded requests of a trace, the newest first. */
export function useTrace(trace: string | undefined): readonly RecordedSummary[] {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["requests-trace", trace],
    enabled: trace !== undefined,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(listRequests, { query: { trace, limit: mostOfTrace }, signal }),
  });
  return data?.requests ?? [];
}

/** The pinned requests that are still stored, the newest first. */
export function usePinnedRows(pins: readonly Pin[]): RecordedSummary[] {
  const { call } = useApi();
  return useQueries({
    queries: pins.map(({ id, time }) => ({
      queryKey: ["pinned-request", id, time],
      queryFn: async () => {
        const { requests } = await call(listRequests, { query: { before: id + 1, limit: 1 } });
        // In another data directory the ids belong to other requests.
        return requests.find((one) => one.id === id && one.time === time) ?? null;
      },
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])).sort((one, other) => other.id - one.id),
  });
}
