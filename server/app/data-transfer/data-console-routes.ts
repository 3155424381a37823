import { exportData, mergeData, replaceData } from "../../contract/console/data/data-endpoints.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { route, type Route } from "../../http/route.ts";
import type { DataTransfer } from "./data-transfer.ts";

/** The console's operations for export and import. */
export const dataConsoleRoutes = (transfer: DataTransfer): Route[] => [
  route(exportData, async ({ query }) => ({ data: await transfer.export({ secrets: query.secrets === "include" }) })),
  route(replaceData, async ({ body }, { res }) => ({ data: await transfer.import(body, "replace", leftOf(res)) })),
  route(mergeData, async ({ body }, { res }) => ({ data: await transfer.import(body, "merge", leftOf(res)) })),
];
