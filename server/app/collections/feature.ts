import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { DataDocument } from "../../contract/console/data/data-transfer.ts";
import type { Route } from "../../http/route.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { SettingOrigins } from "../../process/settings/read-settings.ts";
import type { RecordRules } from "../../store/records/record-rules.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import { placesOf } from "./places-of.ts";
import { schemasConsoleRoutes } from "./schemas-console-routes.ts";
import type { UserDefinition } from "./user-collection.ts";
import { UserFiles } from "./user-files.ts";

interface Ports {
  readonly origins: SettingOrigins;
  /** Operations whose paths users cannot define. */
  readonly builtIn: readonly EndpointSpec[];
  readonly routesOf: (definition: UserDefinition) => Route[];
  readonly rulesOf: (definition: UserDefinition) => RecordRules;
  readonly transfer: RecordTransfer;
  readonly exportOne: (collection: string) => Promise<DataDocument>;
}

/** Collections and fixed answers that users define by files. */
export const collectionsFeature: Feature<EventKernel<object>, Ports, UserFiles> = {
  name: "collections",
  tags: { "fixed-answers": "Fixed answers of the route file, for paths outside collections." },
  open({ settings, bus, clock: { now }, log, atClose }, { origins, builtIn, routesOf, rulesOf, transfer, exportOne }) {
    const files = new UserFiles({
      ...placesOf(settings, origins),
      builtIn,
      routesOf,
      transfer,
      chances: { random: Math.random, wait: (ms) => setTimeout(ms, undefined, { ref: false }) },
      schemaDeadlineMs: foreignDeadlineMs,
      bus,
      log,
    });
    atClose(() => files.close());
    const removedFolder = join(settings.data_dir, "collections", "removed");
    return {
      consoleRoutes: schemasConsoleRoutes({ files, transfer, rulesOf, exportOne, removedFolder, now }),
      port: files,
    };
  },
};
