import { useQuery } from "@tanstack/react-query";
import { useApi } from "./use-api.ts";
import { useRefetchOnEvents } from "./use-refetch-on-events.ts";

/** Everything that is asked of the model service about its models stands under this key. */
export const modelsKey = "models";
const retryMs = 2_500;
/** Other programs install and delete models too, and nothing tells of it. */
const pollIntervalMs = 10_000;

/** The installed models. While the service is down it is asked again and again, and at once when it is up. */
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
