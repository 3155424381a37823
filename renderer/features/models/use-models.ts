import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi, type Api } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";
import { modelsKey } from "../../api/queries/use-installed-models.ts";
import { refetch } from "../../ui/refetch.ts";

/** Each use of a model puts its unloading off. */
const useMs = 4_000;
/** A model is unloaded without any notification; that one is loaded is noticed by the request that needed it. */
const pollMs = { loaded: 15_000, none: 60_000 };

/** The models in memory. */
export function useLoadedModels() {
  const { models } = useApi();
  useRefetchOnActivity([modelsKey, "loaded"], useMs);
  return useQuery({
    queryKey: [modelsKey, "loaded"],
    queryFn: ({ signal }) => models.listLoaded(signal),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.length === 0 ? pollMs.none : pollMs.loaded),
  });
}

export function useModelDetails(model: string) {
  const { models } = useApi();
  return useQuery({ queryKey: [modelsKey, "show", model], queryFn: ({ signal }) => models.show(model, signal) });
}

/** Whether a model would fit into the memory with a window of `numCtx` tokens; null when its needs are unknown. */
export const fitQuery = (models: Api["models"], model: string, numCtx?: number) =>
  queryOptions({
    queryKey: [modelsKey, "fit", model, numCtx],
    queryFn: ({ signal }) => models.fit(model, numCtx, signal),
  });

export function useFit(model: string, numCtx?: number) {
  const { models } = useApi();
  return useQuery({
    ...fitQuery(models, model, numCtx),
    enabled: model !== "",
    placeholderData: keepPreviousData,
    // The available memory changes, and the speed with each answer.
    refetchOnMount: "always",
  });
}

/** Immediate actions on a model; each refetches the lists. */
export function useModelActions() {
  const { models } = useApi();
  const queries = useQueryClient();
  const onSettled = () => refetch(queries, [modelsKey]);
  return {
    unload: useMutation({ mutationFn: (model: string) => models.unload(model), onSettled }),
    remove: useMutation({ mutationFn: (model: string) => models.remove(model), onSettled }),
    copy: useMutation({
      mutationFn: ({ source, destination }: { source: string; destination: string }) =>
        models.copy(source, destination),
      onSettled,
    }),
  };
}
