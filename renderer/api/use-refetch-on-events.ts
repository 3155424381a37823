import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { CloudEvent } from "../../server/contract/console/traffic/events.ts";
import { useApi } from "./use-api.ts";
import { follow } from "./event-source.ts";
import { refetch } from "../ui/refetch.ts";

/** Refetches the query when an event concerns it, and when events may have been missed. */
export function useRefetchOnEvents(queryKey: QueryKey, concerns: (event: CloudEvent) => boolean): void {
  const { live } = useApi();
  const queries = useQueryClient();
  const onChange = useEffectEvent(() => void refetch(queries, queryKey));
  const onEvents = useEffectEvent((events: CloudEvent[]) => {
    if (events.some(concerns)) onChange();
  });
  useEffect(
    () =>
      follow(
        live,
        (events) => onEvents(events),
        () => onChange(),
      ),
    [live],
  );
}
