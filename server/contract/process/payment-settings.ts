/** The payment settings that belong together: a custom merchant must be set completely or not at all. */
import type { PayWire } from "../provider/payment-terms.ts";
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

/** The settings that calls of each API require. */
const needed = {
  v2: ["payment_mch_id", "payment_app_id", "payment_api_v2_key"],
  v3: [
    "payment_mch_id",
    "payment_app_id",
    "payment_api_v3_key",
    "payment_merchant_key_file",
    "payment_merchant_serial",
  ],
  alipay: ["payment_mch_id", "payment_app_id", "payment_merchant_key_file", "payment_platform_key_file"],
} as const satisfies Record<PayWire, readonly SettingName[]>;

/** The API that the settings choose. */
export const payWireOf = (settings: Pick<Settings, "payment_provider" | "payment_version">): PayWire =>
  settings.payment_provider === "alipay" ? "alipay" : settings.payment_version;

/** The settings of payments. */
export type PaymentSettings = Pick<
  Settings,
  | (typeof ofMerchant)[number]
  | "payment_provider"
  | "payment_version"
  | "payment_sign_type"
  | "payment_notify_url"
  | "payment_timeout_ms"
>;

/** True when the settings name a merchant; without any of its settings, the simulator's built-in one is used. */
export const hasOwnMerchant = (settings: PaymentSettings): boolean =>
  ofMerchant.some((name) => settings[name] !== undefined);

/** The first missing setting of an incomplete merchant. */
export function missingPaymentSetting(
  settings: PaymentSettings,
): { readonly missing: SettingName; readonly because: SettingName } | undefined {
  const because = ofMerchant.find((name) => settings[name] !== undefined);
  if (because === undefined) return undefined;
  const missing =
    needed[payWireOf(settings)].find((name) => settings[name] === undefined) ??
    // An id alone verifies nothing.
    (settings.payment_platform_key_id !== undefined && settings.payment_platform_key_file === undefined
      ? "payment_platform_key_file"
      : undefined);
  return missing && { missing, because };
}
