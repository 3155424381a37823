import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { follow } from "./event-source.ts";
import { refetch } from "../ui/refetch.ts";
import { useApi } from "./use-api.ts";

/**
 * Refetches the query when anything has happened, at most every `everyMs`: an event, a recorded request, a stream that has
 * opened again. So an idle page asks nothing.
 */
export function useRefetchOnActivity(queryKey: QueryKey, everyMs: number): void {
  const { live } = useApi();
  const queries = useQueryClient();
  const onActivity = useEffectEvent(() => void refetch(queries, queryKey));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastAt = -Infinity;
    const soon = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          lastAt = performance.now();
          onActivity();
        },
        Math.max(0, lastAt + everyMs - performance.now()),
      );
    };
    const stops = [follow(live, soon, soon), live.subscribeActivity(soon)];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [live, everyMs]);
}
