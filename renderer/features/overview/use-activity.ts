import { useQuery } from "@tanstack/react-query";
import { countEvents } from "../../../server/contract/console/traffic/event-endpoints.ts";
import { getServiceLog, getServicesMemory } from "../../../server/contract/console/console-endpoints.ts";
import { getTraffic } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";

const everyMs = 5_000;
const logEveryMs = 2_000;
/** The interval for data that changes without events: memory, and lines of a log. */
const idleMs = { memory: 120_000, log: 10_000 };

export function useTraffic() {
  const { call } = useApi();
  useRefetchOnActivity(["traffic"], everyMs);
  return useQuery({
    queryKey: ["traffic"],
    refetchInterval: idleMs.memory,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getTraffic, { signal }),
  });
}

/** Bytes by the name of the process. */
export function useMemory(): Partial<Record<ServiceName, number>> {
  const { call } = useApi();
  useRefetchOnActivity(["services-memory"], everyMs);
  const { data } = useQuery({
    queryKey: ["services-memory"],
    refetchInterval: idleMs.memory,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getServicesMemory, { signal }),
  });
  return Object.fromEntries((data?.services ?? []).map(({ name, bytes }) => [name, bytes]));
}

export function useEventCounts() {
  const { call } = useApi();
  useRefetchOnActivity(["event-counts"], everyMs);
  return useQuery({
    queryKey: ["event-counts"],
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(countEvents, { signal }),
  });
}

/** The last lines of a process, oldest first, while `wanted`. */
export function useServiceLog(name: ServiceName, wanted: boolean) {
  const { call } = useApi();
  useRefetchOnActivity(["service-log", name], logEveryMs);
  return useQuery({
    queryKey: ["service-log", name],
    enabled: wanted,
    refetchInterval: idleMs.log,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getServiceLog, { params: { name }, signal }),
  });
}
