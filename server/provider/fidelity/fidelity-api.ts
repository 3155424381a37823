/** The control route that lists the platform's published operations. */
import { listOperations } from "../../contract/provider/sim-platform.ts";
import { route, type Route } from "../../http/route.ts";

export const fidelityRoutes: readonly Route[] = [
  route(listOperations, async ({ query: { product = "" } }) => {
    const { operationsOfProduct, viewOperation } =
      await import("../../contract/provider/operations/published-operations.ts");
    return { data: operationsOfProduct(product).map(viewOperation) };
  }),
];
