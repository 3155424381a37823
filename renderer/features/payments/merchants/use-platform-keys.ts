import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SimPlatformKeys } from "../../../../server/contract/provider/provider-keys.ts";
import { changeSimPlatformKey, listSimMerchants } from "../../../../server/contract/provider/sim-platform.ts";
import { useRefetchOnEvents } from "../../../api/events/use-refetch-on-events.ts";
import { isReset } from "../../../api/events/resets.ts";
import { useApi } from "../../../api/use-api.ts";
import { refetch } from "../../../ui/refetch.ts";

const merchantsKey = ["merchants"];

/** The merchants of the simulated platform. */
export function useMerchants() {
  const { call } = useApi();
  useRefetchOnEvents(merchantsKey, isReset);
  return useQuery({
    queryKey: merchantsKey,
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listSimMerchants, { signal })).merchants,
  });
}

/** Selects the keys by which the platform signs for a merchant. */
export function useChangePlatformKeys(mchId: string) {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keys: SimPlatformKeys) => call(changeSimPlatformKey, { query: { mch_id: mchId }, body: keys }),
    onSettled: () => refetch(queries, merchantsKey),
  });
}
