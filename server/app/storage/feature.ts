import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { createMeasuring } from "./measure-storage.ts";
import { storageConsoleRoutes, storageParts, type StorageDeps } from "./storage-console-routes.ts";

/** The sizes of the data directory's parts, and the deletion of expendable ones. */
export const storageFeature: Feature<EventKernel<object>, StorageDeps, undefined> = {
  name: "storage",
  consoleTags: { storage: "Disk space of the data directory by part, and the parts that can be deleted." },
  open({ settings: { data_dir: dataDir }, log, atClose }, ports) {
    const measuring = createMeasuring(storageParts(dataDir), (error) =>
      log.error({ err: error }, "the sizes in the data directory cannot be measured"),
    );
    atClose(() => measuring.close());
    return { consoleRoutes: storageConsoleRoutes({ ...ports, dataDir, measuring }), port: undefined };
  },
};
