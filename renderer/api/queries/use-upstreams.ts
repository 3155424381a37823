import { useQuery } from "@tanstack/react-query";
import { modelsKey } from "./use-installed-models.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";

/** The interval while there are upstreams; most users have none. */
const pollIntervalMs = 5_000;

/** The servers that run models for the model service. */
export function useUpstreams() {
  const { models } = useApi();
  useRefetchOnEvents([modelsKey, "upstreams"], ({ type }) => type === "service.changed");
  return useQuery({
    queryKey: [modelsKey, "upstreams"],
    queryFn: ({ signal }) => models.listUpstreams(signal),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? pollIntervalMs : false),
  });
}
