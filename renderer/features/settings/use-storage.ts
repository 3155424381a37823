import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createReset } from "../../../server/contract/console/control/control-endpoints.ts";
import { deleteRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import {
  countStorage,
  deleteBackups,
  deleteOrphans,
  getStorage,
  type StorageSizes,
} from "../../../server/contract/console/data/storage-endpoints.ts";
import { useApi } from "../../api/use-api.ts";
import { refetch } from "../../ui/refetch.ts";

const key = ["storage"];
const askAgainMs = 700;

/** The parts that a person may delete here. */
export type Removable = "orphans" | "requests" | "prompt_cache" | "backups";

/** The sizes of the data directory's parts; polled while they are measured. */
export function useStorage() {
  const { call } = useApi();
  return useQuery<StorageSizes>({
    queryKey: key,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.counting === true ? askAgainMs : false),
    queryFn: ({ signal }) => call(getStorage, { signal }),
  });
}

/** Measures again. */
export function useCountAgain() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(countStorage),
    onSuccess: () => refetch(queries, key),
  });
}

export function useFreeSpace() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (part: Removable) => {
      if (part === "requests") await call(deleteRequests);
      else if (part === "prompt_cache") await call(createReset, { body: { parts: [part] } });
      else await call(part === "orphans" ? deleteOrphans : deleteBackups);
    },
    onSettled: () => refetch(queries, key),
  });
}
