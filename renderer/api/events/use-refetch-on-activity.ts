import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import { follow } from "./event-source.ts";
import { refetch } from "../../ui/refetch.ts";
import { useApi } from "../use-api.ts";

/**
 * Refetches the query when anything has happened, at most every `everyMs`: an event, a recorded request, a stream that has
 * opened again. An idle page requests nothing.
 */
export function useRefetchOnActivity(queryKey: QueryKey, everyMs: number): void {
  const { live } = useApi();
  const queries = useQueryClient();
  const onActivity = useThrottledCallback(() => void refetch(queries, queryKey), everyMs);
  useEffect(() => {
    const stops = [follow(live, onActivity, onActivity), live.subscribeActivity(onActivity)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, onActivity]);
}
