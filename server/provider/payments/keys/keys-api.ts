/** Control routes for the configuration of a simulator's client: credentials, keys, certificates. */
import type { z } from "zod";
import type { SimCredentials, simPlatformKeySchema } from "../../../contract/provider/provider-keys.ts";
import {
  changeSimPlatformKey,
  getSimCredentials,
  getSimMerchantCertificate,
  getSimPlatformCertificate,
  getSimPlatformKey,
  rotateSimPlatformKey,
} from "../../../contract/provider/sim-platform.ts";
import { attachAs } from "../../../http/conventions/attachment.ts";
import { sendText } from "../../../http/conventions/send-json.ts";
import { notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";
import type { Keys } from "./keys.ts";
import { makePkcs12 } from "./make-certificate.ts";
import type { PlatformSigner } from "./platform-signer.ts";

/** A merchant's complete configuration. @throws HttpError 404 for an unknown merchant */
export type ReadCredentials = (mchId: string) => Promise<SimCredentials>;

interface CredentialsDeps {
  readonly keys: Keys;
  readonly merchants: Pick<Merchants, "get">;
  /** The built-in app, which logs people in. */
  readonly app: { readonly app_id: string; readonly app_secret: string };
  readonly certificateFile: string;
}

export function createReadCredentials({ keys, merchants, app, certificateFile }: CredentialsDeps): ReadCredentials {
  return async (mchId) => {
    const merchant = await found(merchants, mchId);
    const [own, certificate, publicKey] = await Promise.all([
      keys.merchant(mchId),
      keys.certificate(),
      publicKeyOf(merchant, keys),
    ]);
    return {
      app_id: merchant.appIds[0] ?? app.app_id,
      app_secret: app.app_secret,
      mch_id: mchId,
      api_v2_key: merchant.apiV2Key,
      api_v3_key: merchant.apiV3Key,
      merchant_serial: own.serial,
      merchant_certificate: own.certificate,
      merchant_private_key: own.privateKey,
      platform_serial: certificate.serial,
      platform_certificate: certificate.publicPart,
      platform_certificate_file: certificateFile,
      ...(publicKey && { platform_public_key_id: publicKey.serial, platform_public_key: publicKey.publicPart }),
    };
  };
}

/** @throws HttpError 404 */
async function found(merchants: Pick<Merchants, "get">, mchId: string): Promise<Merchant> {
  const merchant = await merchants.get(mchId);
  if (!merchant) throw notFound(`Merchant ${mchId} does not exist.`);
  return merchant;
}

/** The platform's public key; undefined in mode `certificate`. */
const publicKeyOf = async ({ platformKeys: { mode } }: Merchant, keys: Pick<Keys, "publicKey">) =>
  mode === "certificate" ? undefined : keys.publicKey();

interface Deps {
  readonly keys: Keys;
  readonly merchants: Pick<Merchants, "get" | "put">;
  readonly signer: PlatformSigner;
  readonly readCredentials: ReadCredentials;
  /** The merchant whose credentials are returned if none is named. */
  readonly builtInMchId: string;
}

export const keyRoutes = ({ keys, merchants, signer, readCredentials, builtInMchId }: Deps): Route[] => [
  route(getSimCredentials, async ({ query: { mch_id } }) => ({ data: await readCredentials(mch_id ?? builtInMchId) })),

  route(getSimMerchantCertificate, async ({ query: { mch_id } }, { res }) => {
    const credentials = await readCredentials(mch_id ?? builtInMchId);
    const { merchant_certificate: certificate, merchant_private_key: key, mch_id: password } = credentials;
    const file = await makePkcs12(certificate, key, password);
    attachAs(res, "apiclient_cert.p12");
    res.writeHead(200, { "Content-Type": "application/x-pkcs12", "Content-Length": file.length }).end(file);
    return { sent: true };
  }),

  route(getSimPlatformCertificate, async (_input, { res }) => {
    const { publicPart } = await keys.certificate();
    attachAs(res, "platform-certificate.pem");
    sendText(res, 200, "application/x-x509-ca-cert; charset=utf-8", publicPart);
    return { sent: true };
  }),

  route(getSimPlatformKey, async ({ query: { mch_id } }) => {
    const merchant = await found(merchants, mch_id ?? builtInMchId);
    return { data: await view(merchant, keys, signer) };
  }),
  route(changeSimPlatformKey, async ({ query: { mch_id }, body }) => {
    const merchant = { ...(await found(merchants, mch_id ?? builtInMchId)), platformKeys: body };
    await merchants.put(merchant);
    return { data: await view(merchant, keys, signer) };
  }),
  route(rotateSimPlatformKey, async ({ query: { mch_id } }) => {
    const merchant = await found(merchants, mch_id ?? builtInMchId);
    await keys.rotate();
    return { data: await view(merchant, keys, signer) };
  }),
];

async function view(
  merchant: Merchant,
  keys: Keys,
  signer: PlatformSigner,
): Promise<z.input<typeof simPlatformKeySchema>> {
  const { serial } = await signer.ofReply(merchant, undefined);
  const publicKey = await publicKeyOf(merchant, keys);
  return {
    ...merchant.platformKeys,
    serial,
    certificates: (await keys.certificates()).map(({ serial, certificate, createdAt, expiresAt }) => ({
      serial,
      certificate,
      effective_time: offsetTime(createdAt),
      expire_time: offsetTime(expiresAt),
    })),
    ...(publicKey && { public_key_id: publicKey.serial, public_key: publicKey.publicPart }),
  };
}
