import type { SettingsPage } from "../../../server/contract/console/setting-endpoints.ts";

/** One of the settings that the console's API lists. */
export const named = (page: SettingsPage, name: string) => page.settings.find((setting) => setting.name === name);
