import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { listEvents } from "../../../server/contract/console-endpoints.ts";
import type { CloudEvent } from "../../../server/contract/events.ts";
import { useApi } from "../../api/api-context.ts";
import { useLiveList, type LiveChanges } from "../../ui/use-live-list.ts";

const pageSize = 200;

/** The stored events of a type, or all: fetched, then live, then older ones on demand. */
export function useEvents(type: string | undefined) {
  const { call, live } = useApi();
  const listen = useCallback(
    (changes: LiveChanges<CloudEvent>) => {
      const stopEvents = live.subscribe((events) =>
        changes.rows(type === undefined ? events : events.filter((event) => event.type === type)),
      );
      const stopOpen = live.subscribeOpen(changes.changed);
      return () => {
        stopEvents();
        stopOpen();
      };
    },
    [live, type],
  );
  return useLiveList<CloudEvent>({
    key: ["events", type ?? "all"],
    pageSize,
    listen,
    load: async (before, signal) => {
      const { events, total } = await call(listEvents, { query: { limit: pageSize, before, type }, signal });
      return { rows: events, total };
    },
  });
}

/** An event by its id, for an address that names one which is not held. Null: it is not stored any more. */
export function useStoredEvent(id: string | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["event", id],
    enabled: id !== undefined,
    queryFn: async () => {
      const { events } = await call(listEvents, { query: { before: Number(id) + 1, limit: 1 } });
      return events.find((event) => event.id === id) ?? null;
    },
  });
}
