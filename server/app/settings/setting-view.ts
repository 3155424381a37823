import { isAbsolute, normalize, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SettingView } from "../../contract/console/setting-endpoints.ts";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { settingTrust } from "../../contract/process/setting-trust.ts";
import { effectOf } from "./next-settings.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { flagName, pathSettings, variableName, type SettingOrigins } from "../../process/settings/read-settings.ts";
import { choicesOf, isSwitch } from "../../process/settings/setting-kind.ts";

export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];

/** The console writes the user's file. */
export const isEditable = (name: SettingName): boolean => settingTrust[name].by.includes("user file");

interface Known {
  readonly settings: Settings;
  /** The origin of this run's value; undefined for the default. */
  readonly origin: SettingOrigins["origins"][SettingName];
  /** The values now in the configuration file. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** @param project the values in the working directory's file, which those of the data directory's file override */
export function showSetting(name: SettingName, known: Known, project: SettingOrigins["project"] = {}): SettingView {
  const { settings, origin, written } = known;
  const secret = secretSettings.has(name);
  const standard = defaultOf(name);
  const value = publicValue(name, settings[name]);
  const pending = isPending(name, known);
  const next = pending ? publicValue(name, parsed(name, { ...project, ...written }[name])) : undefined;
  const choices = choicesOf(name);
  return {
    name,
    description: settingsSchema.shape[name].description ?? "",
    type: choices ? "choice" : typeOf(name, standard),
    ...(choices && { choices: [...choices] }),
    secret,
    editable: isEditable(name),
    can_be_empty: parsed(name, "") === "",
    ...(standard !== undefined && { default: standard }),
    ...(value !== undefined && { value }),
    is_set: origin !== undefined,
    source: origin ?? "default",
    flag: flagName(name),
    variable: variableName(name),
    pending,
    ...(next !== undefined && { next_value: next }),
    takes_effect: effectOf(name),
  };
}

const parsed = (name: SettingName, value: unknown) => settingsSchema.shape[name].safeParse(value).data;

/** Removes the secret part of a value; undefined for a value that is all secret. */
function publicValue(name: SettingName, value: Settings[SettingName]): SettingView["value"] {
  if (name === "database_url" && typeof value === "string") return withoutPassword(value);
  return secretSettings.has(name) ? undefined : value;
}

/** Whether the file gives the next start another value. A flag or a variable overrides the file. */
export function isPending(name: SettingName, { settings, origin, written }: Known): boolean {
  if (origin === "flag" || origin === "environment") return false;
  if (!(name in written)) return origin === "file";
  const next = parsed(name, written[name]);
  return !isDeepStrictEqual(next, settings[name]) && !isSamePath(name, next, settings[name]);
}

/** A run has absolute paths; the file may have relative ones, and it does not say what they are relative to. */
function isSamePath(name: SettingName, next: unknown, now: unknown): boolean {
  if (!pathSettings.has(name) || typeof now !== "string" || typeof next !== "string" || next === "") return false;
  return isAbsolute(next) ? resolve(next) === now : now.endsWith(normalize(`/${next}`).replace(/[\\/]$/, ""));
}

function defaultOf(name: SettingName): SettingView["default"] {
  return parsed(name, undefined);
}

function typeOf(name: SettingName, standard: SettingView["default"]): SettingView["type"] {
  if (isSwitch(name)) return "switch";
  if (Array.isArray(standard)) return "list";
  return typeof standard === "number" ? "number" : "text";
}
