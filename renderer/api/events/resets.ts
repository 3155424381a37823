/**
 * What to do when stored data is put back: ids begin again, so nothing that is held may be joined to what is new. And when a
 * session ends, whose token is good for nothing then.
 */
import type { QueryClient, QueryFilters } from "@tanstack/react-query";
import type { CloudEvent } from "../../../server/contract/console/traffic/events.ts";
import { follow, type LiveEvents } from "./event-source.ts";

/** Whether an event says that stored data, or parts of it, were replaced. */
export const isReset = ({ type }: Pick<CloudEvent, "type">): boolean =>
  type === "state.reset" || type === "fixture.loaded";

/** The beginning of the keys of sessions' tokens. */
export const tokensKey = "tokens";

/** Whether a token that is held may be good for nothing from now on. */
export const endsSession = ({ type }: Pick<CloudEvent, "type">): boolean =>
  type === "session.ended" || type === "session.changed" || isReset({ type });

/**
 * Drops what is held for places that are not shown whenever it was replaced or may have been; what is shown listens
 * itself. Called once, before the stream is started.
 */
export function forgetReplaced(live: Pick<LiveEvents, "subscribe" | "subscribeOpen">, queries: QueryClient): void {
  const forget = (which: QueryFilters = {}) =>
    queries.removeQueries({ ...which, type: "inactive", fetchStatus: "idle" });
  const onEvents = (events: CloudEvent[]) => {
    if (events.some(isReset)) forget();
    else if (events.some(endsSession)) forget({ queryKey: [tokensKey] });
  };
  follow(live, onEvents, () => forget());
}
