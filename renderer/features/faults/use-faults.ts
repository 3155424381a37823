import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { deleteFault } from "../../../server/contract/console/control/control-endpoints.ts";
import { getTraffic } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { deleteSimFault } from "../../../server/contract/provider/sim-faults.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";
import { armFault, deleteAllFaults, fetchFaults, type NewFault } from "./fault-calls.ts";
import type { FaultRow } from "./fault-row.ts";
import { refetch } from "../../ui/refetch.ts";

const key = ["faults"];
const trafficKey = ["faults", "traffic"];
const trafficMs = 5_000;
/** A hit is of a request, which is announced when it is recorded; where none is, the page polls. */
const hitMs = 1_000;
const pollMs = 30_000;

/** All faults with their present counts, the latest first. */
export function useFaults() {
  const { call } = useApi();
  useRefetchOnActivity(key, hitMs);
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchFaults(call, signal),
    refetchOnMount: "always",
    refetchInterval: pollMs,
  });
}

/** The requests of the last minutes, beside which hits are drawn. */
export function useRecentTraffic() {
  const { call } = useApi();
  useRefetchOnActivity(trafficKey, trafficMs);
  return useQuery({
    queryKey: trafficKey,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getTraffic, { signal }),
  });
}

/** Adds and removes faults. `add`, which is the form's, and `arm` return the key of the new one. */
export function useFaultChanges() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onSettled = () => refetch(queries, key);
  const arming = { mutationFn: (fault: NewFault) => armFault(call, fault), onSettled };
  const add = useMutation(arming);
  const arm = useMutation(arming);
  const remove = useMutation({
    mutationFn: (rows: readonly FaultRow[]) =>
      Promise.all(
        rows.map(({ id, input }) =>
          input.side === "sim" ? call(deleteSimFault, { params: { id } }) : call(deleteFault, { params: { id } }),
        ),
      ),
    onSettled,
  });
  const clear = useMutation({ mutationFn: () => deleteAllFaults(call), onSettled });
  return { add, arm, remove, clear };
}
