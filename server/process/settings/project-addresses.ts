/** The addresses of other machines in the untrusted file of a working directory. */
import { settingsSchema, type Settings } from "../../contract/process/settings.ts";
import { announcedSettings } from "./project-file.ts";
import { isProjects, type SettingOrigins } from "./read-settings.ts";

/** One line naming the addresses that the working directory's file sets; undefined if it sets none. */
export function projectAddresses(settings: Settings, from: SettingOrigins): string | undefined {
  const addresses = announcedSettings
    .filter((name) => isProjects(name, from))
    .map((name) => ({ name, value: [settings[name] ?? []].flat().filter((one) => one !== "loopback") }))
    .filter(({ value }) => value.length > 0)
    .map(({ name, value }) => `${name} ${value.join(" ")}`);
  return addresses.length === 0
    ? undefined
    : `the working directory's hearth.config.json sets addresses: ${addresses.join(", ")}`;
}

/** The origins that the user has chosen. Those of a project's file may call only the application server. */
export const usersOrigins = (settings: Settings, from: SettingOrigins): string[] =>
  isProjects("cors_origins", from) ? settingsSchema.shape.cors_origins.parse(undefined) : settings.cors_origins;
