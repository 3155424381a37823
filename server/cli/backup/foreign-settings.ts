/** Sorts the settings of a backup from any source: those that extend trust are left aside. */
import { isDeepStrictEqual } from "node:util";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import { missingPaymentSetting } from "../../contract/process/payment-settings.ts";
import { takesConsolesPort } from "../../contract/process/port-settings.ts";
import { settingTrust } from "../../contract/process/setting-trust.ts";
import { secretSettings, settingsSchema, type SettingName } from "../../contract/process/settings.ts";

type Values = Readonly<Record<string, unknown>>;

const effects = {
  opens: "opens Hearth to others",
  sends: "sets where requests, data or secrets go",
  reads: "names a file or a folder",
  runs: "sets where programs come from",
  none: "belongs to an ignored setting, or protects this data",
} as const;

const longestValue = 200;

function describe(name: string, value: unknown): string {
  if (!Object.hasOwn(settingTrust, name)) return `${name} (unknown setting)`;
  const known = name as SettingName;
  const quoted = secretSettings.has(known) ? "" : ` ${hideCredentials(JSON.stringify(value)).slice(0, longestValue)}`;
  return `${name}${quoted} (${effects[settingTrust[known].does]})`;
}

/**
 * @param values those of the backup
 * @param current those of the data directory; a value that is the same there is the user's own
 * @returns the accepted settings, and a line for each other one
 */
export function sortSettings(values: Values, current: Values): { taken: Values; leftAside: string[] } {
  const taken = new Map<string, unknown>();
  const leftAside: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const trust = Object.hasOwn(settingTrust, name) ? settingTrust[name as SettingName] : undefined;
    const isHarmless =
      trust?.does === "none" && trust.guards !== true && !takesConsolesPort(name, value, current["console_port"]);
    const isUsers = Object.hasOwn(current, name) && isDeepStrictEqual(value, current[name]);
    if (isHarmless || isUsers) taken.set(name, value);
    else leftAside.push(describe(name, value));
  }
  for (const [name, value] of Object.entries(current))
    if (Object.hasOwn(settingTrust, name) && settingTrust[name as SettingName].guards) taken.set(name, value);
  // A merchant without its key file would prevent every start.
  for (let because = halfMerchant(taken); because !== undefined; because = halfMerchant(taken)) {
    leftAside.push(describe(because, taken.get(because)));
    taken.delete(because);
  }
  return { taken: Object.fromEntries(taken), leftAside };
}

/** A setting of a merchant whose other settings are incomplete. */
function halfMerchant(taken: ReadonlyMap<string, unknown>): SettingName | undefined {
  const parsed = settingsSchema.safeParse({ data_dir: ".", ...Object.fromEntries(taken) });
  return parsed.success ? missingPaymentSetting(parsed.data)?.because : undefined;
}
