import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import {
  listFileEvents,
  type FileChange,
  type FileEvent,
  type FileEventCounts,
} from "../../../server/contract/app/file-events.ts";
import { useApi } from "../../api/use-api.ts";
import { isReset } from "../../api/events/resets.ts";
import { follow } from "../../api/events/event-source.ts";
import { pageStart } from "../../ui/table/live-list.ts";
import { useAppendOnlyList, type LiveChanges } from "../../ui/table/use-append-only-list.ts";
import type { FileEventsSearch } from "./file-events-search.ts";

const pageSize = 200;

export interface FileEventFilter {
  q: string | undefined;
  ev: FileChange | undefined;
  path: string | undefined;
}

/**
 * The stored file events that match the filter: fetched, then live, then older ones on demand; with the counts by kind.
 */
export function useFileEvents(filter: FileEventFilter, sort: FileEventsSearch["sort"]) {
  const { call, live } = useApi();
  const [counts, setCounts] = useState<FileEventCounts>();
  const listen = useCallback(
    (changes: LiveChanges<FileEvent>) =>
      follow(
        live,
        (events) => {
          if (events.some(isReset)) changes.removed();
          else if (events.some(({ type }) => type === "file.changed")) changes.changed();
        },
        changes.changed,
      ),
    [live],
  );
  const list = useAppendOnlyList<FileEvent>({
    key: ["file-events", filter, sort],
    listen,
    isSorted: sort !== undefined,
    load: async (cursor, signal) => {
      const query = { ...filter, ...pageStart(sort, cursor), limit: pageSize };
      const { events, total, stored, counts } = await call(listFileEvents, { query, signal });
      setCounts(counts);
      return { rows: events, total, stored, complete: events.length < pageSize };
    },
  });
  return { ...list, counts };
}

/** The open event, whatever the list shows. `row` is its row there, if it has one. Null: it is no longer stored. */
export function useStoredFileEvent(id: string | undefined, row: FileEvent | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["file-event", id],
    enabled: id !== undefined,
    initialData: row,
    queryFn: async () => {
      const { events } = await call(listFileEvents, { query: { before: Number(id) + 1, limit: 1 } });
      return events.find((event) => String(event.id) === id) ?? null;
    },
  });
}
