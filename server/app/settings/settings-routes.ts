import type { SettingName, Settings } from "../../contract/settings.ts";
import { listSettings, updateSettings } from "../../contract/setting-endpoints.ts";
import { route, type Route } from "../../http/route.ts";
import { readConfigFile, writeConfigFile } from "../../process/config-file.ts";
import type { SettingOrigins } from "../../process/read-settings.ts";
import { checkedValues } from "./checked-values.ts";
import { showSetting, settingNames } from "./shown-setting.ts";

/** The settings of the run over the console's API, and its configuration file. */
export function settingsRoutes(settings: Settings, { file, origins }: SettingOrigins): Route[] {
  const page = () => {
    const written = readConfigFile(file);
    const shown = (name: SettingName) => showSetting(name, { settings, origin: origins[name], written });
    return { data: { file, settings: settingNames.map(shown) } };
  };
  return [
    route(listSettings, page),
    route(updateSettings, ({ body: { values } }) => {
      writeConfigFile(file, checkedValues(readConfigFile(file), values, settings.data_dir));
      return page();
    }),
  ];
}
