import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { Overview } from "../../../server/contract/console/console.ts";
import { getOverview } from "../../../server/contract/console/console-endpoints.ts";
import { serviceStatusSchema } from "../../../server/contract/process/services.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { useApi, type Api } from "../use-api.ts";
import type { Call } from "../http/call.ts";
import { follow, type Connection } from "../events/event-source.ts";
import { refetch } from "../../ui/refetch.ts";

const overviewKey = ["overview"];
/** Without the stream the page polls, to detect the server's return or the end of the login. */
const pollMs = 2_000;

export const overviewQuery = (call: Call) =>
  queryOptions({ queryKey: overviewKey, queryFn: ({ signal }) => call(getOverview, { signal }) });

const concernsOverview = /^(?:service\.changed|database\.damaged|lan\.changed|device\..*)$/;

/** Services and addresses; kept up to date by syncOverview. */
export function useOverview() {
  const { call } = useApi();
  const connection = useConnection();
  return useQuery({
    ...overviewQuery(call),
    refetchInterval: (query) => (connection === "open" && query.state.status !== "error" ? false : pollMs),
  });
}

export const useConnection = (): Connection => useStore(useApi().live.connection);

/**
 * Fetches the overview whenever the stream opens, also at the page's start, before any component. Applies each
 * service.changed at once, then fetches the rest (addresses, damage). Called once, before the stream is started.
 */
export function syncOverview({ call, live }: Pick<Api, "call" | "live">, queries: QueryClient): void {
  const fetchAnew = async () => {
    await queries.invalidateQueries({ queryKey: overviewKey }, { cancelRefetch: false });
    await queries.prefetchQuery(overviewQuery(call));
  };
  const onChange = () => void refetch(queries, overviewKey, fetchAnew);
  const onEvents = (events: CloudEvent[]) => {
    if (!events.some(({ type }) => concernsOverview.test(type))) return;
    queries.setQueryData<Overview>(overviewKey, (overview) => overview && withServiceChanges(overview, events));
    onChange();
  };
  follow(live, onEvents, onChange);
}

function withServiceChanges(overview: Overview, events: CloudEvent[]): Overview {
  let services = overview.services;
  for (const event of events) {
    if (event.type !== "service.changed") continue;
    const changed = serviceStatusSchema.safeParse(event.data);
    if (!changed.success) continue;
    services = services.map((service) => (service.name === changed.data.name ? changed.data : service));
  }
  return { ...overview, services };
}
