import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  admitLanDevice,
  changeLanAccess,
  getLanAccess,
  removeLanDevice,
  type LanAccessChange,
  type LanAccessView,
} from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";
import { useShowFailure } from "../actions/use-show-failure.ts";
import { refetch } from "../../ui/refetch.ts";

const key = ["lan-access"];
/** No event reports when a device was last seen. */
const seenAgainMs = 10_000;

export function useLanAccess() {
  const { call } = useApi();
  useRefetchOnEvents(key, ({ type }) => type === "lan.changed" || type.startsWith("device."));
  return useQuery<LanAccessView>({
    queryKey: key,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.enabled === true ? seenAgainMs : false),
    queryFn: ({ signal }) => call(getLanAccess, { signal }),
  });
}

export function useChangeLanAccess() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onError = useShowFailure();
  return useMutation({
    mutationFn: (body: LanAccessChange) => call(changeLanAccess, { body }),
    onSuccess: (view) => queries.setQueryData(key, view),
    onError,
  });
}

/** Lets a device in, or forgets one. */
export function useDeviceActions() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onError = useShowFailure();
  const onSettled = () => refetch(queries, key);
  const admit = useMutation({
    mutationFn: (id: string) => call(admitLanDevice, { params: { id } }),
    onSettled,
    onError,
  });
  const remove = useMutation({
    mutationFn: (id: string) => call(removeLanDevice, { params: { id } }),
    onSettled,
    onError,
  });
  return { admit: (id: string) => admit.mutate(id), remove: (id: string) => remove.mutate(id) };
}
