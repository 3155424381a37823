import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  cancelGpuEngineDownload,
  downloadGpuEngine,
  getGpuEngine,
  removeGpuEngine,
  retryGpuEngine,
  type GpuEngineView,
} from "../../../server/contract/console/machine/gpu-engine-endpoints.ts";
import type { GpuKind } from "../../../server/contract/model/gpu-engine.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";
import { useShowFailure } from "../actions/use-show-failure.ts";
import { refetch } from "../../ui/refetch.ts";

/** The names that the makers use. */
export const gpuNames: Readonly<Record<GpuKind, string>> = { cuda: "CUDA", vulkan: "Vulkan" };

const key = ["gpu-engine"];
/** Events report neither a download's progress nor the result of a build. */
const askAgainMs = 700;

const isChanging = (view: GpuEngineView | undefined) => view?.download !== undefined || view?.state === "starting";

/** The engine's builds for GPUs; polled while something is under way. */
export function useGpuEngine() {
  const { call } = useApi();
  useRefetchOnEvents(key, ({ type, subject }) => type === "service.changed" && subject === "runner");
  return useQuery<GpuEngineView>({
    queryKey: key,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (isChanging(state.data) ? askAgainMs : false),
    queryFn: ({ signal }) => call(getGpuEngine, { signal }),
  });
}

export function useGpuEngineActions() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onError = useShowFailure();
  const onSettled = () => refetch(queries, key);
  return {
    download: useMutation({
      mutationFn: (kind: GpuKind) => call(downloadGpuEngine, { body: { kind } }),
      onSettled,
      onError,
    }),
    cancel: useMutation({ mutationFn: () => call(cancelGpuEngineDownload), onSettled, onError }),
    retry: useMutation({ mutationFn: () => call(retryGpuEngine), onSettled, onError }),
    remove: useMutation({ mutationFn: () => call(removeGpuEngine), onSettled, onError }),
  };
}
