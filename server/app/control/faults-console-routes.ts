import {
  createFault,
  deleteFault,
  deleteFaults,
  listFaults,
  replaceFaults,
} from "../../contract/console/control/control-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { RouteFaults } from "./faults.ts";

export const faultsConsoleRoutes = (faults: RouteFaults): Route[] => [
  route(listFaults, () => ({ data: { faults: faults.list() } })),
  route(replaceFaults, ({ body }) => {
    faults.replace(body.faults);
    return { data: { faults: faults.list() } };
  }),
  route(createFault, ({ body }) => ({ data: faults.add(body) })),
  route(deleteFaults, () => void faults.clear()),
  route(deleteFault, ({ params: { id } }) => {
    if (!faults.remove(id)) throw refuse("fault.none", { id });
  }),
];
