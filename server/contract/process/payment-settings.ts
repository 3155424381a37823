/** Which of the payment settings belong together: a merchant of one's own is set as a whole or not at all. */
import type { SettingName, Settings } from "./settings.ts";

const ofMerchant = [
  "payment_base_url",
  "payment_mch_id",
  "payment_app_id",
  "payment_api_v2_key",
  "payment_api_v3_key",
  "payment_merchant_key_file",
  "payment_merchant_serial",
  "payment_platform_key_file",
  "payment_platform_key_id",
] as const satisfies readonly SettingName[];

/** What a call of either version cannot be made without. */
const needed = {
  v2: ["payment_mch_id", "payment_app_id", "payment_api_v2_key"],
  v3: [
    "payment_mch_id",
    "payment_app_id",
    "payment_api_v3_key",
    "payment_merchant_key_file",
    "payment_merchant_serial",
  ],
} as const satisfies Record<Settings["payment_version"], readonly SettingName[]>;

/** The settings that payments are made by. */
export type PaymentSettings = Pick<
  Settings,
  (typeof ofMerchant)[number] | "payment_version" | "payment_sign_type" | "payment_notify_url" | "payment_timeout_ms"
>;

/** True when the settings name a merchant; the simulator's built-in one is meant where they name none of its parts. */
export const hasOwnMerchant = (settings: PaymentSettings): boolean =>
  ofMerchant.some((name) => settings[name] !== undefined);

/** The first setting that is missing beside those that are there. */
export function missingPaymentSetting(
  settings: PaymentSettings,
): { readonly missing: SettingName; readonly because: SettingName } | undefined {
  const because = ofMerchant.find((name) => settings[name] !== undefined);
  if (because === undefined) return undefined;
  const missing =
    needed[settings.payment_version].find((name) => settings[name] === undefined) ??
    // An id alone verifies nothing.
    (settings.payment_platform_key_id !== undefined && settings.payment_platform_key_file === undefined
      ? "payment_platform_key_file"
      : undefined);
  return missing && { missing, because };
}
