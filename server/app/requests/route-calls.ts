import type { RouteCalls } from "../../contract/console/traffic/histogram.ts";
import type { Exchange } from "../../http/recording/request-recorder.ts";

type RouteCall = RouteCalls["calls"][number];

/** Counts the calls of each route by status since the start. Unlike recorded requests, they are never removed. */
export function createRouteCalls() {
  const calls = new Map<string, RouteCall>();
  return {
    count({ notes: { route }, status }: Pick<Exchange, "notes" | "status">): void {
      if (!route) return;
      const { method, path } = route;
      const key = `${method} ${path} ${String(status)}`;
      const call = calls.get(key);
      if (call) call.count++;
      else calls.set(key, { method, path, status, count: 1 });
    },
    read: (): RouteCalls => ({ calls: [...calls.values()] }),
  };
}
