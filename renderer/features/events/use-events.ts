import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { listEvents } from "../../../server/contract/console-endpoints.ts";
import type { CloudEvent } from "../../../server/contract/events.ts";
import { useApi } from "../../api/api-context.ts";
import { appendOlder, fetchNewest, mergeNewer, pageSize, type EventList } from "./event-list.ts";

/** The stored events of a type, or all: fetched, then live, then older ones on demand. */
export function useEvents(type: string | undefined) {
  const { call, live } = useApi();
  const queries = useQueryClient();
  const key = ["events", type ?? "all"];
  const wanted = (event: CloudEvent) => type === undefined || event.type === type;
  const load = (before?: string, signal?: AbortSignal) =>
    call(listEvents, { query: { limit: pageSize, before, type }, signal });

  const query = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    queryFn: async ({ signal }) => {
      // What comes in while the page is fetched may be missing from it.
      const arrived: CloudEvent[] = [];
      const stop = live.subscribe((events) => arrived.push(...events.filter(wanted)));
      try {
        const known = queries.getQueryData<EventList>(key);
        return mergeNewer(await fetchNewest((before) => load(before, signal), known), arrived);
      } finally {
        stop();
      }
    },
  });

  const onLive = useEffectEvent((events: CloudEvent[]) => {
    queries.setQueryData<EventList>(key, (list) => list && mergeNewer(list, events.filter(wanted)));
  });
  useEffect(() => {
    const stopEvents = live.subscribe((events) => onLive(events));
    const stopOpen = live.subscribeOpen(() => void queries.invalidateQueries({ queryKey: ["events"] }));
    return () => {
      stopEvents();
      stopOpen();
    };
  }, [live, queries]);

  const loading = useRef(false);
  const list = query.data;
  const loadOlder = async () => {
    const oldest = list?.events.at(-1);
    if (!list || list.complete || !oldest || loading.current) return;
    loading.current = true;
    try {
      const page = await load(oldest.id);
      queries.setQueryData<EventList>(key, (held) => held && appendOlder(held, page));
    } catch {
      // The top bar says that the server is away; the next scrolling asks again.
    } finally {
      loading.current = false;
    }
  };
  return { ...query, loadOlder };
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
