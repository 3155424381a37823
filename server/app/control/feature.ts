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
    clock: "The clock by which sessions, codes and session keys expire; access keys go by the real time.",
    faults: "Injected faults: latency, errors and cut connections.",
    state: "Resets, and fixtures: states of the server under a name.",
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
