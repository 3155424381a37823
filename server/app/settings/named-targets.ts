/** Checks the settings that make this server call other addresses, when somebody on another machine sets them. */
import { settingTrust, type LocalSetting } from "../../contract/process/setting-trust.ts";
import type { SettingName } from "../../contract/process/settings.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Asker } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";

const localOnly = {
  allowed_targets: "allowed_targets says where this machine goes for others: it is changed on this machine alone.",
  upstreams: "upstreams says where this machine sends chats and keys: it is changed on this machine alone.",
  database_url: "database_url says where this machine keeps its data: it is changed on this machine alone.",
  update_url: "update_url says where this machine gets programs from: it is changed on this machine alone.",
} as const satisfies Record<LocalSetting, string>;

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
  for (const [name, message] of Object.entries(localOnly))
    if (name in values)
      throw new HttpError(403, "local_only", message, { details: [{ field: name, problem: message }] });
  for (const [name, value] of Object.entries(values)) {
    const url = typeof value === "string" && isAddress(name as SettingName) ? URL.parse(value) : null;
    if (url !== null && /^https?:$/.test(url.protocol)) await targets.addressesOf(url, asker);
  }
}
