import { useQuery } from "@tanstack/react-query";
import { countEvents, getServiceLog, getServicesMemory } from "../../../server/contract/console/console-endpoints.ts";
import { getTraffic } from "../../../server/contract/console/request-endpoints.ts";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import { useApi } from "../../api/use-api.ts";

/** Data without events of its own is polled while the page is visible. */
const everyMs = 5_000;
const logEveryMs = 2_000;

export function useTraffic() {
  const { call } = useApi();
  return useQuery({
    queryKey: ["traffic"],
    refetchInterval: everyMs,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getTraffic, { signal }),
  }).data;
}

/** Bytes by the name of the process. */
export function useMemory(): Partial<Record<ServiceName, number>> {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["services-memory"],
    refetchInterval: everyMs,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getServicesMemory, { signal }),
  });
  return Object.fromEntries((data?.services ?? []).map(({ name, bytes }) => [name, bytes]));
}

export function useEventCounts() {
  const { call } = useApi();
  return useQuery({
    queryKey: ["event-counts"],
    refetchInterval: everyMs,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(countEvents, { signal }),
  }).data;
}

/** The last lines of a process, oldest first, while `wanted`. */
export function useServiceLog(name: ServiceName, wanted: boolean) {
  const { call } = useApi();
  return useQuery({
    queryKey: ["service-log", name],
    enabled: wanted,
    refetchInterval: logEveryMs,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getServiceLog, { params: { name }, signal }),
  });
}
