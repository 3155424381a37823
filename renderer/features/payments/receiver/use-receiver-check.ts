import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createToken } from "../../../../server/contract/console/console-endpoints.ts";
import { newCheckPerson } from "../../../../server/contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../../../server/contract/provider/checks/own-receiver-check.ts";
import type { ReceiverCheckRequest } from "../../../../server/contract/provider/checks/receiver-checks.ts";
import {
  cancelReceiverCheck,
  createReceiverCheck,
  getReceiverCheck,
  listReceiverChecks,
} from "../../../../server/contract/provider/sim-operations.ts";
import type { Call } from "../../../api/http/call.ts";
import { nullIfGone } from "../../../api/http/console-error.ts";
import { useApi } from "../../../api/use-api.ts";
import { overviewQuery } from "../../../api/queries/use-overview.ts";
import { useRefetchOnEvents } from "../../../api/events/use-refetch-on-events.ts";
import { refetch } from "../../../ui/refetch.ts";

const listKey = ["receiver-checks"];
/** A row takes from some milliseconds to some seconds. */
const pollMs = 400;

export function useReceiverChecks() {
  const { call } = useApi();
  // A simulator that has ended has lost them.
  useRefetchOnEvents(listKey, () => false);
  return useQuery({
    queryKey: listKey,
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listReceiverChecks, { signal })).checks,
  });
}

/** A check and its progress; null when the simulator does not have it, as after a restart. */
export const receiverCheckQuery = (call: Call, id: number | undefined) =>
  queryOptions({
    queryKey: [...listKey, id],
    enabled: id !== undefined,
    refetchOnMount: "always",
    queryFn: ({ signal }) => nullIfGone(call(getReceiverCheck, { params: { id: id ?? 0 }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? pollMs : false),
  });

export const useReceiverCheck = (id: number | undefined) => useQuery(receiverCheckQuery(useApi().call, id));

/** Hearth's own receiver, or another one. */
export type CheckTarget =
  | { readonly kind: "own"; readonly only: ReceiverCheckRequest["only"] }
  | { readonly kind: "other"; readonly request: ReceiverCheckRequest };

export function useStartCheck() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (target: CheckTarget) => {
      if (target.kind === "other") return call(createReceiverCheck, { body: target.request });
      const { addresses } = await queries.ensureQueryData(overviewQuery(call));
      const person = newCheckPerson();
      const { access_token: sessionToken } = await call(createToken, { body: { user: person } });
      const body = ownReceiverCheck({ app: addresses.app, sessionToken, person });
      return call(createReceiverCheck, { body: target.only ? { ...body, only: target.only } : body });
    },
    onSuccess: () => void refetch(queries, listKey),
  });
}

export function useCancelCheck() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(cancelReceiverCheck, { params: { id } }),
    onSettled: () => refetch(queries, listKey),
  });
}
