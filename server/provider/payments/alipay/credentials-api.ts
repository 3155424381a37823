/** The control route for the configuration of a client of Alipay. */
import { createPublicKey, type KeyObject } from "node:crypto";
import type { SimAlipayCredentials } from "../../../contract/provider/provider-keys.ts";
import { getSimAlipayCredentials } from "../../../contract/provider/sim-platform.ts";
import { route, type Route } from "../../../http/route.ts";
import { alipayAccount } from "./alipay-account.ts";
import type { AlipayKeys } from "./alipay-keys.ts";

/** One line of base64, as Alipay's key tool prints keys. */
const oneLine = (der: Buffer) => der.toString("base64");
const privateLine = (key: KeyObject) => oneLine(key.export({ type: "pkcs8", format: "der" }));
const publicLine = (pem: string) => oneLine(createPublicKey(pem).export({ type: "spki", format: "der" }));

export async function readAlipayCredentials(alipayKeys: Pick<AlipayKeys, "own">): Promise<SimAlipayCredentials> {
  const own = await alipayKeys.own();
  return {
    app_id: alipayAccount.appId,
    seller_id: alipayAccount.sellerId,
    merchant_private_key: privateLine(own.merchantPrivateKey),
    alipay_public_key: publicLine(own.alipayCert),
    key_type: "PKCS8",
    app_cert: own.appCert,
    alipay_cert: own.alipayCert,
    alipay_root_cert: own.rootCert,
  };
}

export const alipayCredentialRoutes = ({ alipayKeys }: { readonly alipayKeys: Pick<AlipayKeys, "own"> }): Route[] => [
  route(getSimAlipayCredentials, async () => ({ data: await readAlipayCredentials(alipayKeys) })),
];
