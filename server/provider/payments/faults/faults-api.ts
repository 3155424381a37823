/** Control routes for injected faults and their counts. */
import {
  createSimFault,
  deleteSimFault,
  deleteSimFaults,
  listSimFaults,
  replaceSimFaults,
} from "../../../contract/provider/sim-faults.ts";
import { notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import type { FaultStore } from "./fault-store.ts";

export const faultRoutes = (store: FaultStore): Route[] => [
  route(listSimFaults, () => ({ data: { faults: store.list() } })),
  route(replaceSimFaults, async ({ body: { faults } }) => {
    await store.replace(faults);
    return { data: { faults: store.list() } };
  }),
  route(createSimFault, async ({ body }) => ({ data: await store.add(body) })),
  route(deleteSimFaults, async () => void (await store.clear())),
  route(deleteSimFault, async ({ params: { id } }) => {
    if (!(await store.remove(id)))
      throw notFound(`Fault ${String(id)} does not exist. GET /sim/faults lists all faults.`);
  }),
];
