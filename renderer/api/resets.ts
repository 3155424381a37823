/** What to do when stored data is put back: ids begin again, so nothing that is held may be joined to what is new. */
import type { QueryClient } from "@tanstack/react-query";
import type { CloudEvent } from "../../server/contract/console/traffic/events.ts";
import { follow, type LiveEvents } from "./event-source.ts";

/** Whether an event says that stored data, or parts of it, were replaced. */
export const isReset = ({ type }: Pick<CloudEvent, "type">): boolean =>
  type === "state.reset" || type === "fixture.loaded";

/**
 * Drops what is held for places that are not shown whenever it was replaced or may have been; what is shown listens
 * itself. Called once, before the stream is started.
 */
export function forgetReplaced(live: Pick<LiveEvents, "subscribe" | "subscribeOpen">, queries: QueryClient): void {
  const forget = () => queries.removeQueries({ type: "inactive", fetchStatus: "idle" });
  const onEvents = (events: CloudEvent[]) => {
    if (events.some(isReset)) forget();
  };
  follow(live, onEvents, forget);
}
