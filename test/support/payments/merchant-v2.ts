/** A merchant that speaks version 2 of the payment API with nothing but node's own crypto. */
import { randomBytes } from "node:crypto";
import type { SignType } from "../../../server/contract/provider/payment-terms.ts";
import { fieldsOfXml, signatureV2, signedXml, type Fields } from "./payment-signatures.ts";
import type { TestProvider } from "./test-provider.ts";

export interface ReplyV2 {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly fields: Fields;
  /** With the key and the type of the request. */
  readonly isSigned: boolean;
}

interface Sent {
  readonly signType?: SignType;
  /** Signs instead of the merchant's key. */
  readonly key?: string;
  readonly headers?: Fields;
  readonly method?: string;
  /** Stops waiting for the reply. */
  readonly signal?: AbortSignal;
}

/** What failed: `return_msg` of a communication failure, else the err_code; SUCCESS where nothing did. */
export const outcomeOf = ({ fields }: ReplyV2): string | undefined =>
  fields["return_code"] === "SUCCESS" ? (fields["err_code"] ?? fields["result_code"]) : fields["return_msg"];

export function createMerchantV2(
  provider: TestProvider,
  { mchId = "1900000109", apiV2Key = "hearthApiV2Key0123456789abcdef01" } = {},
) {
  const common = (): Fields => ({
    appid: provider.app.appid,
    mch_id: mchId,
    nonce_str: randomBytes(16).toString("hex"),
  });

  /** Sends bytes as they are. */
  async function send(path: string, body: string | Uint8Array<ArrayBuffer> | undefined, sent: Sent = {}) {
    const { method = "POST", headers = {}, key = apiV2Key, signType = "MD5", signal } = sent;
    const response = await fetch(`${provider.url}${path}`, {
      method,
      headers: { "Content-Type": "text/xml", ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const fields = fieldsOfXml(text);
    const isSigned = fields["sign"] === signatureV2(fields, key, signType);
    return { status: response.status, headers: response.headers, text, fields, isSigned } satisfies ReplyV2;
  }

  /** A signed call. A field that is empty is sent, but not signed. */
  function call(path: string, fields: Fields, sent: Sent = {}): Promise<ReplyV2> {
    const { key = apiV2Key, signType = "MD5" } = sent;
    const typed = signType === "MD5" ? {} : { sign_type: signType };
    return send(path, signedXml({ ...common(), ...typed, ...fields }, key, signType), sent);
  }

  const orderFields = (outTradeNo: string): Fields => ({
    body: "Hearth test order",
    out_trade_no: outTradeNo,
    total_fee: "100",
    spbill_create_ip: "127.0.0.1",
  });
  const productFields: Record<string, Fields> = {
    JSAPI: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    NATIVE: { product_id: "12235413214070356458058" },
    MWEB: { scene_info: '{"h5_info":{"type":"Wap"}}' },
    APP: {},
  };

  return {
    send,
    call,
    common,
    apiV2Key,
    /** JSAPI unless told otherwise. */
    place(outTradeNo: string, fields: Fields = {}, sent: Sent = {}) {
      const trade_type = fields["trade_type"] ?? "JSAPI";
      const notify_url = "http://127.0.0.1:9/notifications";
      const order = { ...orderFields(outTradeNo), notify_url, trade_type, ...productFields[trade_type] };
      return call("/pay/unifiedorder", { ...order, ...fields }, sent);
    },
    /** With a code of its own unless one is given. */
    async micropay(outTradeNo: string, fields: Fields = {}, sent: Sent & { prefix?: string } = {}) {
      const auth_code =
        fields["auth_code"] ?? String((await provider.control("POST", "/users/bob/payment-codes", {}))["auth_code"]);
      return call(`${sent.prefix ?? ""}/pay/micropay`, { ...orderFields(outTradeNo), ...fields, auth_code }, sent);
    },
    query: (outTradeNo: string, sent: Sent = {}) => call("/pay/orderquery", { out_trade_no: outTradeNo }, sent),
    close: (outTradeNo: string) => call("/pay/closeorder", { out_trade_no: outTradeNo }),
    reverse: (outTradeNo: string) => call("/secapi/pay/reverse", { out_trade_no: outTradeNo }),
    refund: (outTradeNo: string, outRefundNo: string, fields: Fields = {}) =>
      call("/secapi/pay/refund", {
        out_trade_no: outTradeNo,
        out_refund_no: outRefundNo,
        total_fee: "100",
        refund_fee: "10",
        ...fields,
      }),
    refundQuery: (fields: Fields) => call("/pay/refundquery", fields),
    /** The buyer pays. */
    pay: (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`),
    async paid(outTradeNo: string, fields: Fields = {}) {
      await this.place(outTradeNo, fields);
      await this.pay(outTradeNo);
    },
  };
}
export type MerchantV2 = ReturnType<typeof createMerchantV2>;
