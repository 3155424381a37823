import { join } from "node:path";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { removePromptCache } from "../../process/prompt-cache-files.ts";
import { createTableState } from "../../store/table-state.ts";
import type { Middleware } from "../../http/middleware.ts";
import { createControl, type ControlDeps } from "./control.ts";

/** The clock, faults, resets and fixtures. */
export const controlFeature: Feature<
  EventKernel<object>,
  Omit<ControlDeps, "clock" | "tables" | "forgetPrompts" | "fixturesFolder">,
  { readonly inject: Middleware }
> = {
  name: "control",
  consoleTags: {
    clock: "Clock by which sessions, login codes and session keys expire. Access keys use real time.",
    faults: "Injected faults: delays, errors and closed connections.",
    state: "Resets and fixtures. A fixture is a state of the server, saved under a name.",
  },
  open({ settings, database: { db, transact }, clock }, ports) {
    const { consoleRoutes, inject } = createControl({
      ...ports,
      clock,
      tables: createTableState(db, transact),
      forgetPrompts: () => removePromptCache(settings.data_dir),
      fixturesFolder: join(settings.data_dir, "fixtures"),
    });
    return { consoleRoutes, port: { inject } };
  },
};
