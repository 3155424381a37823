import type { SettingName, Settings } from "../../contract/process/settings.ts";
import { listSettings, updateSettings } from "../../contract/console/setting-endpoints.ts";
import { askerOf, isTrusted } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";
import { route, type Route } from "../../http/route.ts";
import { readConfigFile, writeConfigFile } from "../../process/settings/config-file.ts";
import type { SettingOrigins } from "../../process/settings/read-settings.ts";
import { checkedValues } from "./checked-values.ts";
import { checkNamedTargets } from "./named-targets.ts";
import { showSetting, settingNames } from "./setting-view.ts";

/** The console's operations on the settings of the run and its configuration file. */
export function settingsConsoleRoutes(
  settings: Settings,
  { file, origins, restrictedTo }: SettingOrigins,
  targets: Targets,
): Route[] {
  const page = () => {
    const written = readConfigFile(file);
    const view = (name: SettingName) => showSetting(name, { settings, origin: origins[name], written });
    return { data: { file, settings: settingNames.map(view) } };
  };
  return [
    route(listSettings, page),
    route(updateSettings, async ({ body: { values } }, { req }) => {
      const checked = checkedValues(readConfigFile(file), values, settings.data_dir, restrictedTo);
      await checkNamedTargets(values, askerOf(req, isTrusted), targets);
      writeConfigFile(file, checked);
      return page();
    }),
  ];
}
