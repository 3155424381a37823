import { useMutation, useQuery } from "@tanstack/react-query";
import {
  deleteSimPushReceiver,
  getSimPushReceiver,
  putSimPushReceiver,
  type SimPushReceiverInput,
} from "../../../../server/contract/provider/sim-message-push.ts";
import { useApi } from "../../../api/use-api.ts";
import { productsKey, useRefreshProducts } from "./use-products.ts";

export function usePushReceiver() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...productsKey, "receiver"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(getSimPushReceiver, { signal })).receiver,
  });
}

export function usePushReceiverChanges() {
  const { call } = useApi();
  const refresh = useRefreshProducts();
  return {
    set: useMutation({
      mutationFn: (body: SimPushReceiverInput) => call(putSimPushReceiver, { body }),
      onSuccess: refresh,
    }),
    remove: useMutation({ mutationFn: () => call(deleteSimPushReceiver), onSuccess: refresh }),
  };
}
