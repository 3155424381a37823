import { useQuery } from "@tanstack/react-query";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";

/** The query key prefix of all data about models. */
export const modelsKey = "models";
const retryMs = 2_500;
/** Other programs also install and delete models, without any notification. */
const pollIntervalMs = 60_000;

/** The installed models. Polled while the service is down, and fetched at once when it is up. */
export function useInstalledModels() {
  const { models } = useApi();
  useRefetchOnEvents([modelsKey], ({ type }) => type === "service.changed" || type.startsWith("model."));
  return useQuery({
    queryKey: [modelsKey, "installed"],
    queryFn: ({ signal }) => models.listModels(signal),
    refetchOnMount: "always",
    refetchInterval: (query) => (query.state.status === "error" ? retryMs : pollIntervalMs),
  });
}
