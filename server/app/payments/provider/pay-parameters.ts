/** The signed parameters with which a client starts a payment on the platform, for each version. */
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { signV2 } from "../../../payment-wire/sign-v2.ts";
import { signV3 } from "../../../payment-wire/signature-v3.ts";
import type { MerchantKeyV3 } from "./v3/keys-v3.ts";
import type { PayParameters, PlacedOrder } from "./provider-client.ts";
import { signTypeV2, type MerchantV2 } from "./v2/reply-v2.ts";

/** Makes `nonceStr` and `timeStamp`, Unix seconds. */
export type Stamp = () => { readonly nonce: string; readonly timestamp: string };

export const createStamp =
  (now: () => number): Stamp =>
  () => ({ nonce: newNonce(), timestamp: String(Math.floor(now() / 1000)) });

export const payParametersV2 =
  (merchant: MerchantV2, stamp: Stamp): PayParameters =>
  async (tradeType, placed) => {
    const { nonce, timestamp } = stamp();
    const signType = signTypeV2(placed.signType, merchant);
    const sign = (fields: Record<string, string>) => signV2(fields, merchant.apiKey, signType);
    if (tradeType === "JSAPI") {
      const fields = {
        appId: merchant.appId,
        timeStamp: timestamp,
        nonceStr: nonce,
        package: `prepay_id=${prepayIdOf(placed)}`,
        signType,
      };
      return { ...fields, paySign: sign(fields) };
    }
    if (tradeType === "APP") {
      const fields = appFields(merchant.appId, merchant.mchId, prepayIdOf(placed), { nonce, timestamp });
      return { ...fields, sign: sign(fields) };
    }
    return addressOf(placed);
  };

export const payParametersV3 =
  (merchant: { mchId: string; appId: string }, key: () => Promise<MerchantKeyV3>, stamp: Stamp): PayParameters =>
  async (tradeType, placed) => {
    if (tradeType !== "JSAPI" && tradeType !== "APP") return addressOf(placed);
    const { privateKey } = await key();
    const { nonce, timestamp } = stamp();
    const { appId, mchId } = merchant;
    const prepayId = prepayIdOf(placed);
    const sign = (last: string) => signV3(`${appId}\n${timestamp}\n${nonce}\n${last}\n`, privateKey);
    if (tradeType === "APP")
      return { ...appFields(appId, mchId, prepayId, { nonce, timestamp }), sign: await sign(prepayId) };
    const order = `prepay_id=${prepayId}`;
    return {
      appId,
      timeStamp: timestamp,
      nonceStr: nonce,
      package: order,
      signType: "RSA",
      paySign: await sign(order),
    };
  };

/** Both versions have the same, under the platform's own names. */
const appFields = (appId: string, mchId: string, prepayId: string, { nonce, timestamp }: ReturnType<Stamp>) => ({
  appid: appId,
  partnerid: mchId,
  prepayid: prepayId,
  package: "Sign=WXPay",
  noncestr: nonce,
  timestamp,
});

/** Alipay's client takes the number of a trade, or the signed order of an app. */
export const payParametersAlipay: PayParameters = async (_tradeType, placed) => ({
  ...(placed.prepayId !== undefined && { tradeNO: placed.prepayId }),
  ...(placed.orderStr !== undefined && { orderStr: placed.orderStr }),
  ...addressOf(placed),
});

export const addressOf = ({ codeUrl, webUrl }: PlacedOrder): Record<string, string> => ({
  ...(codeUrl !== undefined && { code_url: codeUrl }),
  ...(webUrl !== undefined && { mweb_url: webUrl }),
});

function prepayIdOf({ prepayId }: PlacedOrder): string {
  if (prepayId === undefined) throw new TypeError("the order was placed without a prepay id");
  return prepayId;
}
