/** Checks the settings that make this server call other addresses, when somebody on another machine sets them. */
import type { SettingName } from "../../contract/process/settings.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Asker } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";

const addressSettings = [
  "identity_base_url",
  "payment_base_url",
  "payment_notify_url",
  "uploads_endpoint",
] as const satisfies SettingName[];

/**
 * @throws TargetRefused for an address that the asker may not make Hearth call, HttpError 403 for the settings
 * allowed_targets and upstreams
 */
export async function checkNamedTargets(
  values: Readonly<Record<string, unknown>>,
  asker: Asker,
  targets: Targets,
): Promise<void> {
  if (asker === "here") return;
  if ("allowed_targets" in values)
    throw new HttpError(
      403,
      "local_only",
      "allowed_targets says where this machine goes for others: it is changed on this machine alone.",
    );
  if ("upstreams" in values)
    throw new HttpError(
      403,
      "local_only",
      "upstreams says where this machine sends chats and keys: it is changed on this machine alone.",
    );
  for (const name of addressSettings) {
    const url = values[name];
    if (typeof url === "string") await targets.addressesOf(new URL(url), asker);
  }
}
