/** Two third-party payment clients, unmodified, pointed at a simulator as their users would point them. */
import type { Credentials } from "./merchant-v3.ts";
import { thirdParty } from "../third-party.ts";

/** Where both clients would go by themselves. */
const realOrigin = "https://api.mch.weixin.qq.com";

export interface AxiosPluginOptions {
  /** Serial or public key id → certificate or public key, PEM; the platform certificate unless given. */
  readonly certs?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly privateKey?: string;
}

/**
 * npm `wechatpay-axios-plugin`: `client` for the calls, `kit` for what its users check notifications with. Every name on
 * the client is a call, `then` too: a promise of the client itself would never come true.
 */
export async function createAxiosPlugin(url: string, credentials: Credentials, options: AxiosPluginOptions = {}) {
  const { default: kit } = await thirdParty("wechatpay-axios-plugin");
  const client = new kit.Wechatpay({
    baseURL: `${url}/`,
    mchid: credentials.mch_id,
    serial: credentials.merchant_serial,
    privateKey: options.privateKey ?? credentials.merchant_private_key,
    certs: options.certs ?? { [credentials.platform_serial]: credentials.platform_certificate },
    secret: options.secret ?? credentials.api_v2_key,
  });
  return { client, kit };
}

/** What the axios plugin rejects a call with, without all that axios hangs on its errors; undefined where it does not. */
export const axiosFailure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ code, response }) => ({ code, status: response?.status, data: response?.data }),
  );

/** npm `wechatpay-node-v3`, which has its address built in: its own port for HTTP takes it elsewhere. */
export async function createNodeV3(url: string, credentials: Credentials) {
  const { default: WxPay } = await thirdParty("wechatpay-node-v3");
  const pay = new WxPay({
    appid: credentials.app_id,
    mchid: credentials.mch_id,
    publicKey: Buffer.from(credentials.merchant_certificate),
    privateKey: Buffer.from(credentials.merchant_private_key),
    key: credentials.api_v3_key,
  });
  const send = async (target: string, init: RequestInit) => {
    const response = await fetch(target.replace(realOrigin, url), init);
    const text = await response.text();
    if (!response.ok) return { status: response.status, error: text };
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, data: isJson ? JSON.parse(text) : text };
  };
  pay.createHttp({
    get: (target: string, headers: Record<string, string>) => send(target, { headers }),
    post: (target: string, params: unknown, headers: Record<string, string>) =>
      send(target, { method: "POST", headers, body: JSON.stringify(params) }),
  });
  return pay;
}
