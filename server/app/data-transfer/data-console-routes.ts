import { exportData, mergeData, replaceData } from "../../contract/console/data/data-endpoints.ts";
import { route, type Route } from "../../http/route.ts";
import type { DataTransfer } from "./data-transfer.ts";

/** The console's operations for export and import. */
export const dataConsoleRoutes = (transfer: DataTransfer): Route[] => [
  route(exportData, async ({ query }) => ({ data: await transfer.export({ secrets: query.secrets === "include" }) })),
  route(replaceData, async ({ body }) => ({ data: await transfer.import(body, "replace") })),
  route(mergeData, async ({ body }) => ({ data: await transfer.import(body, "merge") })),
];
