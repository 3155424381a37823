import type { FromService } from "../../contract/process/process-messages.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { SettingOrigins } from "../../process/settings/read-settings.ts";
import type { PartsOfStart } from "./check-start.ts";
import { settingsConsoleRoutes } from "./settings-console-routes.ts";

interface Ports {
  readonly origins: SettingOrigins;
  /** Checks of changed settings by the features that they concern. */
  readonly partsOfStart: PartsOfStart;
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
}

/** The settings of the run, its configuration file, and the keys beside it. */
export const settingsFeature: Feature<EventKernel<object>, Ports, undefined> = {
  name: "settings",
  consoleTags: {
    settings: "All settings with meaning, value and source. Changes are written to the configuration file.",
    keys: "Keys of programs and people on other machines.",
  },
  open: ({ settings }, ports) => ({
    consoleRoutes: settingsConsoleRoutes({ ...ports, settings, targets: createTargets(settings.allowed_targets) }),
    port: undefined,
  }),
};
