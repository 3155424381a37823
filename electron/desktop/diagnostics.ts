/** The text that a person attaches to a bug report. It contains no secrets. */
import { pathToFileURL } from "node:url";
import { escapePattern } from "../../server/contract/escape-pattern.ts";
import { hideKeys } from "../../server/contract/process/access-keys.ts";
import {
  secretSettings,
  settingsSchema,
  type SettingName,
  type Settings,
} from "../../server/contract/process/settings.ts";
import type { ServiceStatus } from "../../server/contract/process/services.ts";

interface Facts {
  readonly version: string;
  /** By name: versions of Electron and Chromium, the system, processor, memory. */
  readonly system: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly services: readonly ServiceStatus[];
  /** The last lines of each process, as printed. */
  readonly lines: Readonly<Record<string, string>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The forms of secrets: codes, tokens, passwords in addresses and in headers. */
const secretForms: readonly [form: RegExp, replacement: string][] = [
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, "$1 [secret]"],
  [/([?&](?:token|code|access_token|key|secret)=)[^&\s"]+/gi, "$1[secret]"],
  [/\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/g, "[secret]"],
  [/(\/\/)[^/\s:@"]+:[^/\s@"]+@/g, "$1[secret]@"],
  [/("(?:access_token|session_key|openid|unionid|phone|password|secret)":\s*)"[^"]*"/gi, '$1"[secret]"'],
];

function settingLine(name: SettingName, settings: Settings): string | undefined {
  const value = settings[name];
  if (value === undefined || JSON.stringify(value) === JSON.stringify(defaults[name])) return undefined;
  return `${name} = ${secretSettings.has(name) ? "[secret]" : JSON.stringify(value)}`;
}
const defaults: Readonly<Record<string, unknown>> = settingsSchema.partial().parse({});

/** The keys in a list (`NAME=key,NAME=key`). Each is as secret as the list. */
const keysIn = (list = "") => Array.from(list.matchAll(/=([^\s,]+)/g), ([, key = ""]) => key);

/** The forms of the home directory: in URLs, plain, in JSON, and with slashes. */
function writingsOf({ home, platform }: Facts): string[] {
  if (home.length <= 1) return [];
  const isWindows = platform === "win32";
  const inUrl = pathToFileURL(home, { windows: isWindows }).pathname;
  return [inUrl, home, JSON.stringify(home).slice(1, -1), ...(isWindows ? [home.replaceAll("\\", "/")] : [])];
}

/** Ignores case, because Windows ignores it in paths. */
const hide = (text: string, hidden: string) => text.replaceAll(new RegExp(escapePattern(hidden), "gi"), "~");

/** @param secrets texts that must not appear in it, such as the run's token */
export function diagnosticsText(facts: Facts, secrets: readonly string[]): string {
  const names = Object.keys(settingsSchema.shape) as SettingName[];
  const settings = names.map((name) => settingLine(name, facts.settings)).filter((line) => line !== undefined);
  const services = facts.services.map(
    ({ name, state, restarts, reason }) =>
      `${name}: ${state}, ${String(restarts)} restarts${reason === undefined ? "" : `, ${reason}`}`,
  );
  const parts = [
    `Hearth ${facts.version}`,
    Object.entries(facts.system)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
    `Changed settings\n${settings.join("\n") || "none"}`,
    `Services\n${services.join("\n")}`,
    ...Object.entries(facts.lines).map(([name, lines]) => `Last lines of ${name}\n${lines.trimEnd() || "none"}`),
  ];
  const { registry_auth, upstream_keys } = facts.settings;
  const known = [
    ...secrets,
    ...[...secretSettings].map((name) => facts.settings[name]),
    ...keysIn(registry_auth),
    ...keysIn(upstream_keys),
  ]
    .filter((secret) => typeof secret === "string")
    .filter((secret) => secret !== "");
  let text = `${parts.join("\n\n")}\n`;
  // The longest comes first, because one secret may be the beginning of another.
  for (const secret of known.sort((a, b) => b.length - a.length)) text = text.replaceAll(secret, "[secret]");
  for (const [form, replacement] of secretForms) text = text.replaceAll(form, replacement);
  text = hideKeys(text);
  return writingsOf(facts).reduce(hide, text);
}
