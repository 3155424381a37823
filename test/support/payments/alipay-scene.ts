/** What tests of Alipay's clients share: a simulator, its credentials, a receiver, and the clients. */
import { expect } from "vitest";
import type { SimAlipayCredentials } from "../../../server/contract/provider/provider-keys.ts";
import { thirdParty } from "../third-party.ts";
import { notificationReceiver } from "./notification-receiver.ts";
import { startTestProvider } from "./test-provider.ts";

/** npm `alipay-sdk`, unmodified, as its users configure it. @param mode what proves who is who */
export async function createAlipaySdk(
  credentials: SimAlipayCredentials,
  { mode = "key", name = "alipay-sdk", ...more }: Partial<Record<"mode" | "name" | "gateway" | "privateKey", string>>,
) {
  const { AlipaySdk } = await thirdParty(name);
  const trusted =
    mode === "key"
      ? { alipayPublicKey: credentials.alipay_public_key }
      : {
          appCertContent: credentials.app_cert,
          alipayPublicCertContent: credentials.alipay_cert,
          alipayRootCertContent: credentials.alipay_root_cert,
        };
  return new AlipaySdk({
    appId: credentials.app_id,
    privateKey: credentials.merchant_private_key,
    keyType: credentials.key_type,
    ...trusted,
    ...more,
  });
}

export async function startAlipayScene() {
  const provider = await startTestProvider();
  const credentials = (await provider.control("GET", "/alipay/credentials")) as SimAlipayCredentials;
  const receiver = await notificationReceiver((_notification, response) => void response.end("success"));
  const gateway = `${provider.url}/gateway.do`;
  return {
    provider,
    credentials,
    receiver,
    gateway,
    sdk: (options: Parameters<typeof createAlipaySdk>[1] = {}) => createAlipaySdk(credentials, { gateway, ...options }),
    act: (outTradeNo: string, action: string) => provider.control("POST", `/orders/${outTradeNo}/${action}`),
    notifyUrl: (outTradeNo: string) => `${receiver.url}/${outTradeNo}`,
    /** The fields of the notification about an order that has a status, once it is there. */
    async noticeOf(outTradeNo: string, isIt: (fields: Record<string, string>) => boolean = () => true) {
      const find = () =>
        receiver.received
          .filter(({ path }) => path === `/${outTradeNo}`)
          .map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
          .find(isIt);
      await expect.poll(find).toBeDefined();
      return find() ?? {};
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
export type AlipayScene = Awaited<ReturnType<typeof startAlipayScene>>;
