/** Checks the settings that make this server call other addresses, when somebody on another machine sets them. */
import { settingTrust, type LocalSetting } from "../../contract/process/setting-trust.ts";
import type { SettingName } from "../../contract/process/settings.ts";
import { refuse } from "../../http/http-error.ts";
import type { Asker } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";

const isLocal = (name: string): name is LocalSetting => settingTrust[name as SettingName].here === true;
const isAddress = (name: SettingName) => ["sends", "runs"].includes(settingTrust[name].does);

/**
 * @throws TargetRefused for an address that the asker may not make Hearth call, HttpError 403 for a setting that only this
 * machine changes
 */
export async function checkNamedTargets(
  values: Readonly<Record<string, unknown>>,
  asker: Asker,
  targets: Targets,
): Promise<void> {
  if (asker === "here") return;
  for (const name of Object.keys(values)) if (isLocal(name)) throw refuse(`local.${name}`, undefined, { field: name });
  for (const [name, value] of Object.entries(values)) {
    const url = typeof value === "string" && isAddress(name as SettingName) ? URL.parse(value) : null;
    if (url !== null && /^https?:$/.test(url.protocol)) await targets.addressesOf(url, asker);
  }
}
