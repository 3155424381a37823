import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createFault,
  deleteFault,
  deleteFaults,
  listFaults,
} from "../../../server/contract/console/control-endpoints.ts";
import { getTraffic } from "../../../server/contract/console/request-endpoints.ts";
import type { FaultInput } from "../../../server/contract/console/control.ts";
import {
  createSimFault,
  deleteSimFault,
  deleteSimFaults,
  listSimFaults,
  type SimFaultInput,
} from "../../../server/contract/provider/sim-faults.ts";
import type { Call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/use-refetch-on-activity.ts";
import { routeFaultRow, simFaultRow, type FaultRow } from "./fault-row.ts";

const key = ["faults"];
const trafficKey = ["faults", "traffic"];
const trafficMs = 5_000;
/** A hit is of a request, which is announced when it is recorded; where none is, the page polls. */
const hitMs = 1_000;
const pollMs = 30_000;

/** Where only their number is shown, it may come later. */
const armedMs = 2_000;

const faultsQuery = (call: Call) =>
  queryOptions({
    queryKey: key,
    queryFn: async ({ signal }): Promise<FaultRow[]> => {
      const [sim, routes] = await Promise.all([call(listSimFaults, { signal }), call(listFaults, { signal })]);
      return [...sim.faults.map(simFaultRow).reverse(), ...routes.faults.map(routeFaultRow).reverse()];
    },
  });

/** All faults with their present counts, the latest first. */
export function useFaults() {
  const { call } = useApi();
  useRefetchOnActivity(key, hitMs);
  return useQuery({ ...faultsQuery(call), refetchOnMount: "always", refetchInterval: pollMs });
}

/** The faults that can still hit a request. Asks when something has happened, so that an idle page asks nothing. */
export function useArmedFaults(): readonly FaultRow[] {
  const { call } = useApi();
  useRefetchOnActivity(key, armedMs);
  const { data = [] } = useQuery(faultsQuery(call));
  return data.filter(({ spent }) => !spent);
}

/** The requests of the last minutes, beside which hits are drawn. */
export function useTraffic() {
  const { call } = useApi();
  useRefetchOnActivity(trafficKey, trafficMs);
  return useQuery({
    queryKey: trafficKey,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getTraffic, { signal }),
  });
}

export type NewFault = { side: "sim"; body: SimFaultInput } | { side: "route"; body: FaultInput };

/** Adds and removes faults. `add` returns the key of the new one. */
export function useFaultChanges() {
  const { call } = useApi();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: async (fault: NewFault): Promise<string> =>
      fault.side === "sim"
        ? `sim-${(await call(createSimFault, { body: fault.body })).id}`
        : `route-${(await call(createFault, { body: fault.body })).id}`,
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (rows: readonly FaultRow[]) =>
      Promise.all(
        rows.map(({ id, input }) =>
          input.side === "sim" ? call(deleteSimFault, { params: { id } }) : call(deleteFault, { params: { id } }),
        ),
      ),
    onSettled,
  });
  const clear = useMutation({
    mutationFn: () => Promise.all([call(deleteSimFaults), call(deleteFaults)]),
    onSettled,
  });
  return { add, remove, clear };
}
