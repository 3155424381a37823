/** Creates the payment provider, with one connection for all calls and a reader for each API that has keys. */
import { message } from "../../../contract/messages/message.ts";
import { payWireOf, type PaymentSettings } from "../../../contract/process/payment-settings.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import { SettingsError } from "../../../process/settings/read-settings.ts";
import { createCallV3 } from "./v3/call-v3.ts";
import { fetchCertificates } from "./v3/fetch-certificates.ts";
import { createPlatformKeys, type PlatformKeys, type PlatformKeySet } from "./v3/keys-v3.ts";
import { createNotificationReaderAlipay } from "./alipay/notification-alipay.ts";
import { createProviderAlipay } from "./alipay/provider-alipay.ts";
import { createNotificationReaderV2 } from "./v2/notification-v2.ts";
import { createNotificationReaderV3 } from "./v3/notification-v3.ts";
import {
  addressOf,
  createStamp,
  payParametersAlipay,
  payParametersV2,
  payParametersV3,
  type Stamp,
} from "./pay-parameters.ts";
import {
  paymentAccess,
  type AccessAlipay,
  type AccessV3,
  type PaymentAccess,
  type PaymentSimulator,
} from "./payment-access.ts";
import {
  NotificationRefused,
  type NotificationReader,
  type PayParameters,
  type PaymentCalls,
  type PaymentProvider,
  type PlacedOrder,
} from "./provider-client.ts";
import { createProviderConnection, type ProviderConnection } from "./provider-connection.ts";
import type { MerchantV2 } from "./v2/reply-v2.ts";
import { createProviderV2 } from "./v2/provider-v2.ts";
import { createProviderV3 } from "./v3/provider-v3.ts";

interface Options {
  readonly settings: PaymentSettings;
  readonly simulator: PaymentSimulator;
  /** This server's own address, once it listens. */
  readonly ownUrl: () => string;
  /** Unix ms by a real clock, even when a test moves the simulated one: the other side compares it with its own. */
  readonly realNow?: () => number;
  /** Makes nonces and timestamps of pay parameters. */
  readonly stamp?: Stamp;
}

/** This server's paths for notifications, below its base URL. */
const notifyPaths = { payment: "/api/payments/notifications", refund: "/api/payments/refund-notifications" };

/** One complete version of the provider. */
type Version = PaymentCalls & NotificationReader & { readonly payParameters: PayParameters };

/** @throws SettingsError naming the setting at fault */
export function createPaymentProvider(options: Options): PaymentProvider {
  const { settings, simulator, ownUrl, realNow = Date.now } = options;
  const access = paymentAccess(settings, simulator);
  const connection = createProviderConnection({ baseUrl: access.baseUrl, timeoutMs: settings.payment_timeout_ms });
  const parts: Parts = {
    connection,
    realNow,
    stamp: options.stamp ?? createStamp(realNow),
    notifyUrls: () => {
      const base = settings.payment_notify_url ?? ownUrl();
      return { payment: `${base}${notifyPaths.payment}`, refund: `${base}${notifyPaths.refund}` };
    },
  };
  const versions: Record<PayWire, Version | undefined> = {
    v2: access.apiV2Key === undefined ? undefined : versionV2(access, settings, parts),
    v3: access.v3 && versionV3(access, access.v3, parts),
    alipay: access.alipay && versionAlipay(access.baseUrl, access.alipay, parts),
  };
  const chosen = versions[payWireOf(settings)];
  if (chosen === undefined) throw new SettingsError(message("start.noKeys", { version: payWireOf(settings) }));

  return {
    ...chosen,
    payParameters: async (tradeType, placed) => {
      const ordered = versions[wireOf(placed)];
      return ordered ? ordered.payParameters(tradeType, placed) : addressOf(placed);
    },
    readerOf(version) {
      const reader = versions[version];
      if (reader) return reader;
      throw new NotificationRefused("not_configured", `No keys are set to read notifications of ${version}.`);
    },
    close: () => connection.close(),
  };
}

/** The API that has placed an order. */
const wireOf = ({ signType }: PlacedOrder): PayWire =>
  signType === "RSA2" ? "alipay" : signType === "RSA" ? "v3" : "v2";

interface Parts {
  readonly connection: ProviderConnection;
  readonly realNow: () => number;
  readonly stamp: Stamp;
  readonly notifyUrls: () => { payment: string; refund: string };
}

function versionV2(
  access: PaymentAccess,
  { payment_sign_type: signType }: PaymentSettings,
  { connection, notifyUrls, stamp }: Parts,
): Version {
  const merchant: MerchantV2 = {
    mchId: access.mchId,
    get appId() {
      return access.appId;
    },
    get apiKey() {
      return access.apiV2Key ?? "";
    },
    signType,
  };
  return {
    ...createProviderV2({ connection, merchant, notifyUrls }),
    ...createNotificationReaderV2(merchant),
    payParameters: payParametersV2(merchant, stamp),
  };
}

function versionAlipay(baseUrl: string, merchant: AccessAlipay, { connection, realNow, notifyUrls }: Parts): Version {
  const notifyUrl = () => notifyUrls().payment;
  return {
    ...createProviderAlipay({ connection, baseUrl, merchant, notifyUrl, now: realNow }),
    ...createNotificationReaderAlipay(merchant),
    payParameters: payParametersAlipay,
  };
}

function versionV3(
  merchant: PaymentAccess,
  access: AccessV3,
  { connection, realNow, notifyUrls, stamp }: Parts,
): Version {
  const { merchantKey, platformKeys, platformKeyId } = access;
  const { mchId } = merchant;
  const call = createCallV3({ connection, mchId, key: merchantKey, platformKeyId, now: realNow });
  const keysBy = (fetch: () => Promise<PlatformKeySet>) =>
    createPlatformKeys({ load: platformKeys, fetch, now: realNow });
  const certificates = keysBy(() =>
    fetchCertificates({ call, apiV3Key: access.apiV3Key, configured: platformKeys, now: realNow }),
  );
  // Bare public keys cannot be fetched, so the configured ones are read again.
  const publicKeys = keysBy(platformKeys);
  const keys: PlatformKeys = {
    find: (serial) => (serial.startsWith("PUB_KEY_ID_") ? publicKeys : certificates).find(serial),
  };
  return {
    ...createProviderV3({ call, keys, merchant, notifyUrls, now: realNow }),
    ...createNotificationReaderV3({ merchant, access, keys, now: realNow }),
    payParameters: payParametersV3(merchant, merchantKey, stamp),
  };
}
