/** Address and keys of the payment provider, from the settings or from the simulator and its built-in merchant. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { isAbsolute } from "node:path";
import { message } from "../../../contract/messages/message.ts";
import { hasOwnMerchant, type PaymentSettings } from "../../../contract/process/payment-settings.ts";
import { SettingsError } from "../../../process/settings/read-settings.ts";
import { readPlatformKey, serialName, type MerchantKeyV3, type PlatformKeySet } from "./v3/keys-v3.ts";
import { readAlipayPrivateKey, readAlipayPublicKey, type MerchantAlipay } from "./alipay/merchant-alipay.ts";
import { decodeText } from "../../../file-system/decode-text.ts";
import { readSmallFile } from "../../../file-system/small-file.ts";

/** Longer than any key or certificate. */
const longestPem = 1024 * 1024;

export interface AccessV3 {
  readonly apiV3Key: string;
  readonly merchantKey: () => Promise<MerchantKeyV3>;
  /** The configured keys of the platform, which may issue others. */
  readonly platformKeys: () => Promise<PlatformKeySet>;
  /** For a merchant that verifies by a public key. */
  readonly platformKeyId?: string | undefined;
}

/** Alipay's merchant. Rejects while its keys cannot be read. */
export type AccessAlipay = () => Promise<MerchantAlipay>;

/** Each API is present when its keys are. App and keys of the simulator's merchant change: read them for each use. */
export interface PaymentAccess {
  readonly baseUrl: string;
  readonly mchId: string;
  readonly appId: string;
  readonly apiV2Key?: string | undefined;
  readonly v3?: AccessV3 | undefined;
  readonly alipay?: AccessAlipay | undefined;
}

/** The simulator and its merchant's keys. Those of version 3 are PEM texts, and take a moment to generate. */
export interface PaymentSimulator {
  readonly url: string;
  /** They change when the merchant is replaced: read them for each use. */
  readonly credentials: {
    readonly app_id: string;
    readonly mch_id: string;
    readonly api_v2_key: string;
    readonly api_v3_key: string;
  };
  readonly keysV3: () => Promise<{
    readonly merchant_serial: string;
    readonly merchant_private_key: string;
    readonly platform_serial: string;
    readonly platform_certificate: string;
    /** Present when it signs by a bare public key. */
    readonly platform_public_key_id?: string | undefined;
    readonly platform_public_key?: string | undefined;
  }>;
  /** The keys are one line of base64 each. */
  readonly keysAlipay: () => Promise<{
    readonly app_id: string;
    readonly seller_id: string;
    readonly merchant_private_key: string;
    readonly alipay_public_key: string;
  }>;
}

/** @throws SettingsError naming the setting whose file cannot be read */
export const paymentAccess = (settings: PaymentSettings, simulator: PaymentSimulator): PaymentAccess =>
  hasOwnMerchant(settings) ? ownAccess(settings, simulator.url) : simulatorAccess(simulator);

/**
 * Checks the keys of the user's own merchant if their files have absolute paths: only the start knows the folder of
 * relative ones.
 * @throws SettingsError naming the setting whose file cannot be read
 */
export function checkOwnMerchant(settings: PaymentSettings): void {
  const files = [settings.payment_merchant_key_file, settings.payment_platform_key_file];
  if (files.every((file) => file === undefined || isAbsolute(file))) ownKeys(settings);
}

function ownAccess(settings: PaymentSettings, simulatorUrl: string): PaymentAccess {
  const { payment_base_url: baseUrl = simulatorUrl, payment_mch_id: mchId = "", payment_app_id: appId = "" } = settings;
  return { baseUrl, mchId, appId, apiV2Key: settings.payment_api_v2_key, ...ownKeys(settings) };
}

/** The files are keys of the chosen platform. */
const ownKeys = (settings: PaymentSettings): Pick<PaymentAccess, "v3" | "alipay"> =>
  settings.payment_provider === "alipay" ? { alipay: ownAccessAlipay(settings) } : { v3: ownAccessV3(settings) };

/** Undefined when a required setting is missing. */
function ownAccessAlipay(settings: PaymentSettings): AccessAlipay | undefined {
  const { payment_app_id: appId, payment_mch_id: sellerId } = settings;
  const privateKey = readKeyFile(settings, "payment_merchant_key_file", (key) => rsa(readAlipayPrivateKey(key)));
  const alipayKey = readKeyFile(settings, "payment_platform_key_file", (key) => rsa(readAlipayPublicKey(key)));
  if (appId === undefined || sellerId === undefined || !privateKey || !alipayKey) return undefined;
  return async () => ({ appId, sellerId, privateKey, alipayKey });
}

/** Undefined when a required setting is missing. */
function ownAccessV3(settings: PaymentSettings): AccessV3 | undefined {
  const { payment_api_v3_key: apiV3Key, payment_merchant_serial: serial } = settings;
  const privateKey = readKeyFile(settings, "payment_merchant_key_file", (pem) => rsa(createPrivateKey(pem)));
  const platformKeyId = settings.payment_platform_key_id;
  const platformKey = readKeyFile(settings, "payment_platform_key_file", (pem) => ({
    serial: serialName(platformKeyId ?? new X509Certificate(pem).serialNumber),
    key: rsa(readPlatformKey(pem)),
  }));
  if (apiV3Key === undefined || serial === undefined || privateKey === undefined) return undefined;
  const platformKeys = new Map(platformKey && [[platformKey.serial, platformKey.key]]);
  return {
    apiV3Key,
    merchantKey: async () => ({ serial, privateKey }),
    platformKeys: async () => platformKeys,
    platformKeyId,
  };
}

function rsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "rsa") throw new TypeError("it is not an RSA key");
  return key;
}

/** Undefined when the setting is missing. Errors never contain the file's content. */
function readKeyFile<Key>(
  settings: PaymentSettings,
  name: "payment_merchant_key_file" | "payment_platform_key_file",
  read: (pem: string) => Key,
): Key | undefined {
  const file = settings[name];
  if (file === undefined) return undefined;
  try {
    const pem = readSmallFile(file, longestPem);
    if (pem === undefined) throw new SettingsError(message("start.noFile", { name, file }));
    return read(decodeText(pem));
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(message("start.noKey", { name, file }));
  }
}

function simulatorAccess({ url, credentials, keysV3, keysAlipay }: PaymentSimulator): PaymentAccess {
  const readAlipay = async () => {
    const keys = await keysAlipay();
    return {
      appId: keys.app_id,
      sellerId: keys.seller_id,
      privateKey: readAlipayPrivateKey(keys.merchant_private_key),
      alipayKey: readAlipayPublicKey(keys.alipay_public_key),
    };
  };
  let alipay: ReturnType<AccessAlipay> | undefined;
  let merchantKey: Promise<MerchantKeyV3> | undefined;
  const readMerchantKey = async () => {
    const { merchant_serial: serial, merchant_private_key: pem } = await keysV3();
    return { serial, privateKey: createPrivateKey(pem) };
  };
  return {
    baseUrl: url,
    mchId: credentials.mch_id,
    alipay: () =>
      (alipay ??= readAlipay().catch((error: unknown) => {
        alipay = undefined;
        throw error;
      })),
    get appId() {
      return credentials.app_id;
    },
    get apiV2Key() {
      return credentials.api_v2_key;
    },
    v3: {
      get apiV3Key() {
        return credentials.api_v3_key;
      },
      merchantKey: () =>
        (merchantKey ??= readMerchantKey().catch((error: unknown) => {
          merchantKey = undefined;
          throw error;
        })),
      platformKeys: async () => {
        const keys = await keysV3();
        const { platform_public_key_id: id, platform_public_key: publicKey } = keys;
        return new Map([
          [serialName(keys.platform_serial), readPlatformKey(keys.platform_certificate)] as const,
          ...(id !== undefined && publicKey !== undefined
            ? [[serialName(id), readPlatformKey(publicKey)] as const]
            : []),
        ]);
      },
    },
  };
}
