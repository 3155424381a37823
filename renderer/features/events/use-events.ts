import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
  countEvents,
  getEventHistogram,
  listEvents,
} from "../../../server/contract/console/traffic/event-endpoints.ts";
import { eventNames } from "../../../server/contract/console/traffic/events.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { useApi } from "../../api/use-api.ts";
import { isReset } from "../../api/events/resets.ts";
import { follow } from "../../api/events/event-source.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";
import { pageStart } from "../../ui/table/live-list.ts";
import { useAppendOnlyList, type LiveChanges } from "../../ui/table/use-append-only-list.ts";
import type { EventsSearch } from "./events-search.ts";

const pageSize = 200;
const bars = 120;
const histogramEveryMs = 2_000;

/** Selects events that match all given members. */
export interface EventFilter {
  type: string | undefined;
  source: string | undefined;
  subject: string | undefined;
  q: string | undefined;
  since: string | undefined;
  until: string | undefined;
}

/** The types whose text in the reader's language contains `q`: the rows show these texts, and the server has none of them. */
function useTypesNamed(q: string | undefined): string | undefined {
  const { t } = useTranslation();
  const text = q?.toLowerCase();
  const types = eventNames.filter((type) => text && t(`events.happened.${type}`).toLowerCase().includes(text));
  return types.join() || undefined;
}

/** The stored events that match the filter: fetched, then live, then older ones on demand. */
export function useEvents({ type, source, subject, q, since, until }: EventFilter, sort: EventsSearch["sort"]) {
  const { call, live } = useApi();
  const q_types = useTypesNamed(q);
  const listen = useCallback(
    (changes: LiveChanges<CloudEvent>) => {
      const fits = (event: CloudEvent) =>
        (type === undefined || event.type === type) &&
        (source === undefined || event.source === source) &&
        (subject === undefined || event.subject === subject) &&
        (since === undefined || event.time >= since) &&
        (until === undefined || event.time < until);
      const onEvents = (events: CloudEvent[]) => {
        if (events.some(isReset)) {
          changes.removed();
          return;
        }
        const wanted = events.filter(fits);
        if (wanted.length === 0) return;
        // Only the server can evaluate a search.
        if (q === undefined) changes.rows(wanted);
        else changes.changed();
      };
      return follow(live, onEvents, changes.changed);
    },
    [live, type, source, subject, q, since, until],
  );
  return useAppendOnlyList<CloudEvent>({
    key: ["events", { type, source, subject, q, q_types, since, until }, sort],
    listen,
    isSorted: sort !== undefined,
    load: async (cursor, signal) => {
      const query = { limit: pageSize, ...pageStart(sort, cursor), type, source, subject, q, q_types, since, until };
      const { events, total, stored } = await call(listEvents, { query, signal });
      return { rows: events, total, stored, complete: events.length < pageSize };
    },
  });
}

/** How many of the stored events that match the filter there are over time. */
export function useEventHistogram(filter: EventFilter) {
  const { call } = useApi();
  const matching = { ...filter, q_types: useTypesNamed(filter.q) };
  const key = ["events-histogram", matching];
  useRefetchOnActivity(key, histogramEveryMs);
  return useQuery({
    queryKey: key,
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getEventHistogram, { query: { ...matching, bars }, signal }),
  });
}

/** The open event, whatever the list shows. `row` is its row there, if it has one. Null: it is no longer stored. */
export function useStoredEvent(id: string | undefined, row: CloudEvent | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["event", id],
    enabled: id !== undefined,
    initialData: row,
    queryFn: async () => {
      const { events } = await call(listEvents, { query: { before: Number(id) + 1, limit: 1 } });
      return events.find((event) => event.id === id) ?? null;
    },
  });
}

/** The sources of the stored events. */
export function useEventSources(): string[] {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["event-counts"],
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(countEvents, { signal }),
  });
  return (data?.sources ?? []).map(({ source }) => source).sort();
}
