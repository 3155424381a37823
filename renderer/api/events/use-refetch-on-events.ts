import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { useApi } from "../use-api.ts";
import { follow } from "./event-source.ts";
import { refetch } from "../../ui/refetch.ts";

/** Refetches the query when an event concerns it, and when events may have been missed; at most every `everyMs`. */
export function useRefetchOnEvents(queryKey: QueryKey, concerns: (event: CloudEvent) => boolean, everyMs = 0): void {
  const { live } = useApi();
  const queries = useQueryClient();
  const onChange = useThrottledCallback(() => void refetch(queries, queryKey), everyMs);
  const onEvents = useEffectEvent((events: CloudEvent[]) => {
    if (events.some(concerns)) onChange();
  });
  useEffect(() => follow(live, (events) => onEvents(events), onChange), [live, onChange]);
}
