import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { dataConsoleRoutes } from "./data-console-routes.ts";
import { createDataTransfer, type DataTransfer, type DataTransferDeps } from "./data-transfer.ts";

/** All data as one document. */
export const dataTransferFeature: Feature<EventKernel<object>, Omit<DataTransferDeps, "now">, DataTransfer> = {
  name: "data-transfer",
  consoleTags: { data: "All data as one document: export, import, fixtures." },
  open({ clock: { now } }, ports) {
    const port = createDataTransfer({ ...ports, now });
    return { consoleRoutes: dataConsoleRoutes(port), port };
  },
};
