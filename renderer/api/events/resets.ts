/** Drops cached data after a reset, because ids restart then, and cached tokens after their session has ended. */
import type { QueryClient, QueryFilters } from "@tanstack/react-query";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { follow, type LiveEvents } from "./event-source.ts";

/** Whether an event reports that stored data, or parts of it, were replaced. */
export const isReset = ({ type }: Pick<CloudEvent, "type">): boolean =>
  type === "state.reset" || type === "fixture.loaded";

/** The beginning of the keys of sessions' tokens. */
export const tokensKey = "tokens";

/** Whether a cached token may be invalid from now on. */
export const endsSession = ({ type }: Pick<CloudEvent, "type">): boolean =>
  type === "session.ended" || type === "session.changed" || isReset({ type });

/**
 * Drops cached data that is not visible whenever it was replaced or may have been; visible data is refetched by its page.
 * Called once, before the stream is started.
 */
export function forgetReplaced(live: Pick<LiveEvents, "subscribe" | "subscribeOpen">, queries: QueryClient): void {
  const forget = (filters: QueryFilters = {}) =>
    queries.removeQueries({ ...filters, type: "inactive", fetchStatus: "idle" });
  const onEvents = (events: CloudEvent[]) => {
    if (events.some(isReset)) forget();
    else if (events.some(endsSession)) forget({ queryKey: [tokensKey] });
  };
  follow(live, onEvents, () => forget());
}
