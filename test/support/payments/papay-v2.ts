/** A merchant, or a service provider for its sub-merchant, that makes the calls of contracts in version 2. */
import { contractIdOf } from "./begin-money-moves.ts";
import { createMerchantV2, type ReplyV2 } from "./merchant-v2.ts";
import { fieldsOfXml, signatureV2, signedXml, type Fields } from "./payment-signatures.ts";
import type { TestProvider } from "./test-provider.ts";

export const planOfV2 = "3484";

/** @param sub the sub-merchant's fields; @param collected gets each reply with its operation */
export function createPapayV2(
  provider: TestProvider,
  sub?: Fields,
  collected: (readonly [operation: string, reply: ReplyV2])[] = [],
  notifyUrl = "http://127.0.0.1:9",
) {
  const merchant = createMerchantV2(provider);
  const part = sub ? "partner/" : "";
  const { appid = "", mch_id = "" } = merchant.common();
  const who: Fields = { appid, mch_id, ...sub };
  let serial = 0;

  /** Without a nonce, as the platform has these calls. */
  async function nonceless(path: string, fields: Fields) {
    const reply = await merchant.send(path, signedXml({ ...who, ...fields }, merchant.apiV2Key));
    collected.push([`POST ${path}`, reply]);
    return reply;
  }

  async function call(path: string, fields: Fields) {
    const reply = await merchant.call(path, { ...sub, ...fields });
    collected.push([`POST ${path}`, reply]);
    return reply;
  }

  async function get(path: string, fields: Fields, type: "MD5" | "HMAC-SHA256") {
    const all = { ...who, ...fields };
    const query = new URLSearchParams({ ...all, sign: signatureV2(all, merchant.apiV2Key, type) });
    const response = await fetch(`${provider.url}${path}?${String(query)}`);
    const text = await response.text();
    const { status, headers } = response;
    const reply = { status, headers, text, fields: fieldsOfXml(text), isSigned: false };
    collected.push([`GET ${path}`, reply]);
    return reply;
  }

  const contract = (code: string): Fields => ({
    ...{ plan_id: planOfV2, contract_code: code, request_serial: String(++serial), contract_display_account: "Ada" },
  });
  const asking = (code: string): Fields => ({
    ...{ ...contract(code), notify_url: `${notifyUrl}/contracts`, version: "1.0", timestamp: "1414488825" },
  });

  return {
    merchant,
    call,
    signInApp: (code: string, changed: Fields = {}) =>
      nonceless(`/papay/${part}preentrustweb`, { ...asking(code), ...changed }),
    signInBrowser: (code: string, changed: Fields = {}) =>
      get(`/papay/${part}h5entrustweb`, { ...asking(code), clientip: "127.0.0.1", ...changed }, "HMAC-SHA256"),
    signInClient: (code: string, changed: Fields = {}) =>
      get(`/papay/${part}entrustweb`, { ...asking(code), ...changed }, "MD5"),
    async signed(code: string): Promise<string> {
      const contract_id = await contractIdOf(provider, code);
      await provider.control("POST", `/contracts/${contract_id}/sign`, {});
      return contract_id;
    },
    query: (fields: Fields) => nonceless(`/papay/${part}querycontract`, { version: "1.0", ...fields }),
    terminate: (fields: Fields) =>
      nonceless(`/papay/${part}deletecontract`, { version: "1.0", contract_termination_remark: "moved", ...fields }),
    apply: (contract_id: string, out_trade_no: string, changed: Fields = {}) =>
      call(`/pay/${part}pappayapply`, {
        ...{ contract_id, out_trade_no, body: "VIP", total_fee: "100", spbill_create_ip: "127.0.0.1" },
        ...{ notify_url: `${notifyUrl}/deductions`, trade_type: "PAP", ...changed },
      }),
    queryOrder: (out_trade_no: string) => call(`/pay/${part}paporderquery`, { out_trade_no }),
    order: (code: string, out_trade_no: string, changed: Fields = {}) =>
      call("/pay/contractorder", {
        ...{ contract_mchid: mch_id, contract_appid: appid, ...contract(code), out_trade_no, body: "VIP" },
        ...{ total_fee: "100", spbill_create_ip: "127.0.0.1", notify_url: `${notifyUrl}/payments` },
        ...{ contract_notify_url: `${notifyUrl}/contracts`, trade_type: "NATIVE", product_id: "1", ...changed },
      }),
  };
}
