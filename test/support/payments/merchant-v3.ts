/** A merchant that speaks version 3 of the payment API with nothing but node's own crypto. */
import { createSign, createVerify, randomBytes } from "node:crypto";
import { simCredentialsSchema, type SimCredentials } from "../../../server/contract/provider/provider-keys.ts";

export type Credentials = SimCredentials;

/** What a test puts into a request instead of what is right. */
export interface Changed {
  readonly mchid?: string;
  readonly serial?: string;
  readonly privateKey?: string;
  readonly timestamp?: number;
  /** Signed instead of the target that is sent. */
  readonly signedTarget?: string;
  /** Signed instead of the body that is sent. */
  readonly signedBody?: string;
  /** Sent as the whole Authorization header. */
  readonly authorization?: string;
  /** Order of its pairs. */
  readonly reversed?: boolean;
  /** Over those of the request; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface ReplyV3 {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** By the platform certificate of the credentials, over the bytes that came. */
  readonly isSigned: boolean;
}

const signRsa = (message: string, privateKey: string) =>
  createSign("RSA-SHA256").update(message).sign(privateKey, "base64");

/** True when headers hold the platform's signature over the body. */
export function isFromPlatform(header: (name: string) => string | null | undefined, body: string, key: string) {
  const of = (name: string) => header(`wechatpay-${name}`) ?? "";
  const message = `${of("timestamp")}\n${of("nonce")}\n${body}\n`;
  return createVerify("RSA-SHA256").update(message).verify(key, of("signature"), "base64");
}

/** The platform's keys that a merchant has, by `Wechatpay-Serial`. */
export const platformKeysOf = (credentials: Credentials): ReadonlyMap<string, string> =>
  new Map([
    [credentials.platform_serial, credentials.platform_certificate],
    [credentials.platform_public_key_id ?? "", credentials.platform_public_key ?? ""],
  ]);

export async function readCredentials(providerUrl: string, mchId?: string): Promise<Credentials> {
  const query = mchId === undefined ? "" : `?mch_id=${mchId}`;
  return simCredentialsSchema.strict().parse(await (await fetch(`${providerUrl}/sim/credentials${query}`)).json());
}

/** The built-in merchant, or the one that is named, of the simulator at `url`. */
export async function createMerchantV3(url: string, mchId?: string) {
  const credentials = await readCredentials(url, mchId);
  const { mch_id, merchant_private_key, merchant_serial, platform_certificate } = credentials;

  function authorization(method: string, target: string, body: string, changed: Changed): string {
    const nonce = randomBytes(16).toString("hex");
    const timestamp = String(changed.timestamp ?? Math.floor(Date.now() / 1000));
    const { signedTarget = target, signedBody = body, privateKey = merchant_private_key } = changed;
    const pairs = {
      mchid: changed.mchid ?? mch_id,
      nonce_str: nonce,
      timestamp,
      serial_no: changed.serial ?? merchant_serial,
      signature: signRsa(`${method}\n${signedTarget}\n${timestamp}\n${nonce}\n${signedBody}\n`, privateKey),
    };
    const written = Object.entries(pairs).map(([name, value]) => `${name}="${value}"`);
    return `WECHATPAY2-SHA256-RSA2048 ${(changed.reversed ? written.toReversed() : written).join(",")}`;
  }

  /** A request's headers, and its body as it is signed. */
  function signed(method: string, target: string, body?: unknown, changed: Changed = {}) {
    const sent = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "User-Agent": "hearth-test",
      Authorization: changed.authorization ?? authorization(method, target, sent, changed),
      ...changed.headers,
    };
    const given = Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined);
    return { headers: Object.fromEntries(given), sent };
  }

  function send(method: string, target: string, body?: unknown, changed?: Changed): Promise<Response> {
    const { headers, sent } = signed(method, target, body, changed);
    return fetch(`${url}${target}`, { method, headers, ...(sent !== "" && { body: sent }) });
  }

  /** @param body text is sent as it is, anything else as JSON */
  async function call(method: string, target: string, body?: unknown, changed?: Changed): Promise<ReplyV3> {
    const response = await send(method, target, body, changed);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== "" ? JSON.parse(text) : undefined,
      isSigned: isFromPlatform((name) => response.headers.get(name), text, platform_certificate),
    };
  }

  /** The body of an order that is right in every field. */
  const order = (outTradeNo: string, changed: Record<string, unknown> = {}) => ({
    appid: credentials.app_id,
    mchid: mch_id,
    description: "Tea",
    out_trade_no: outTradeNo,
    notify_url: "http://127.0.0.1:9/notifications",
    amount: { total: 101, currency: "CNY" },
    ...changed,
  });

  return {
    credentials,
    signed,
    call,
    fetchBytes: async (target: string) => Buffer.from(await (await send("GET", target)).arrayBuffer()),
    order,
    place: (product: string, outTradeNo: string, changed?: Record<string, unknown>) =>
      call("POST", `/v3/pay/transactions/${product}`, order(outTradeNo, changed)),
    query: (outTradeNo: string) => call("GET", `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${mch_id}`),
    close: (outTradeNo: string) =>
      call("POST", `/v3/pay/transactions/out-trade-no/${outTradeNo}/close`, { mchid: mch_id }),
    refund: (outTradeNo: string, outRefundNo: string, refund: number, total = 101) =>
      call("POST", "/v3/refund/domestic/refunds", {
        out_trade_no: outTradeNo,
        out_refund_no: outRefundNo,
        amount: { refund, total, currency: "CNY" },
      }),
  };
}
export type MerchantV3 = Awaited<ReturnType<typeof createMerchantV3>>;
