/** npm wechatpay-axios-plugin, which we did not write, against version 2 of the simulator over HTTP. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axiosFailure, createAxiosPlugin, type AxiosPluginOptions } from "../support/payments/payment-sdks.ts";
import { startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

type Fields = Record<string, string>;
const create = (options?: AxiosPluginOptions) => createAxiosPlugin(scene.provider.url, scene.credentials, options);
const common = () => ({ appid: scene.app.appid, mch_id: scene.app.mchid });
const order = (outTradeNo: string, changed: Fields = {}) => ({
  ...common(),
  body: "Tea & <two>",
  out_trade_no: outTradeNo,
  total_fee: "101",
  spbill_create_ip: "127.0.0.1",
  notify_url: scene.notifyUrl(outTradeNo),
  ...changed,
});
const refused = (err_code: string) => ({
  code: "EV2_RES_STATUS_CODE_NOT_SUCESS", // sic
  data: { return_code: "SUCCESS", result_code: "FAIL", err_code },
});

const h5 = JSON.stringify({ h5_info: { type: "Wap", wap_url: "http://127.0.0.1", wap_name: "Tea" } });
const products: readonly [tradeType: string, changed: Fields, handed: string][] = [
  ["JSAPI", { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }, "prepay_id"],
  ["NATIVE", { product_id: "tea" }, "code_url"],
  ["APP", {}, "prepay_id"],
  ["MWEB", { scene_info: h5 }, "mweb_url"],
];
const signTypes: readonly [name: string, changed: Fields, length: number][] = [
  ["MD5", {}, 32],
  ["HMAC-SHA256", { sign_type: "HMAC-SHA256" }, 64],
];
const lives = products.flatMap(([tradeType, changed, handed]) =>
  signTypes.map(([name, signed, length]) => [tradeType, name, { changed, handed, signed, length }] as const),
);

describe("wechatpay-axios-plugin by version 2", () => {
  it.each(lives)("takes an order of %s, signed by %s, through its life", async (tradeType, name, product) => {
    const { changed, handed, signed, length } = product;
    const { client, kit } = await create();
    const { Transformer, Hash, Aes } = kit;
    const { api_v2_key: key } = scene.credentials;
    const { pay, secapi } = client.v2;
    const number = `V2_${tradeType}_${name.replace("-", "_")}`;
    const placed = await pay.unifiedorder.post(order(number, { trade_type: tradeType, ...changed, ...signed }));
    expect(placed.data).toMatchObject({
      result_code: "SUCCESS",
      trade_type: tradeType,
      [handed]: expect.any(String),
    });
    expect(placed.data.sign).toHaveLength(length);
    const query = async (by: Fields = { out_trade_no: number }) =>
      (await pay.orderquery.post({ ...common(), ...by, ...signed })).data;
    expect((await query()).trade_state).toBe("NOTPAY");

    await scene.pay(number);
    const told = Transformer.toObject((await scene.toldOf(number)).body);
    expect(Hash.equals(Hash.sign(name, told, key), told.sign)).toBe(true);
    const paid = { ...common(), out_trade_no: number, trade_type: tradeType, total_fee: "101", fee_type: "CNY" };
    expect(told).toMatchObject({ return_code: "SUCCESS", result_code: "SUCCESS", ...paid });
    const queried = await query();
    expect(queried).toMatchObject({ trade_state: "SUCCESS", transaction_id: told.transaction_id, ...paid });
    expect((await query({ transaction_id: told.transaction_id })).out_trade_no).toBe(number);

    const request = { out_trade_no: number, out_refund_no: `R-${number}`, total_fee: "101", refund_fee: "41" };
    const refund = await secapi.pay.refund.post(
      { ...common(), ...request, notify_url: scene.refundNotifyUrl(number), ...signed },
      { security: true },
    );
    expect(refund.data).toMatchObject({ result_code: "SUCCESS", ...request });
    const outer = Transformer.toObject((await scene.toldOfRefund(number)).body);
    expect(outer).toMatchObject({ return_code: "SUCCESS", ...common() });
    const inner = Transformer.toObject(Aes.AesEcb.decrypt(outer.req_info, Hash.md5(key)));
    expect(inner).toMatchObject({ ...request, refund_status: "SUCCESS", refund_id: refund.data.refund_id });
    const found = await pay.refundquery.post({ ...common(), out_refund_no: `R-${number}`, ...signed });
    expect(found.data).toMatchObject({
      refund_count: "1",
      out_refund_no_0: `R-${number}`,
      refund_fee_0: "41",
      refund_status_0: "SUCCESS",
    });
    expect((await query()).trade_state).toBe("REFUND");
  });

  it("closes an order, and says of the next call which err_code refused it", async () => {
    const { pay } = (await create()).client.v2;
    const native = order("V2_CLOSED", { trade_type: "NATIVE", product_id: "tea" });
    await pay.unifiedorder.post(native);
    const number = { ...common(), out_trade_no: "V2_CLOSED" };
    expect((await pay.closeorder.post(number)).data.result_code).toBe("SUCCESS");
    expect((await pay.orderquery.post(number)).data.trade_state).toBe("CLOSED");
    expect(await axiosFailure(pay.unifiedorder.post(native))).toMatchObject(refused("ORDERCLOSED"));
    expect(await axiosFailure(pay.orderquery.post({ ...common(), out_trade_no: "NOWHERE" }))).toMatchObject(
      refused("ORDERNOTEXIST"),
    );
  });

  it("takes a payment by the buyer's code, and reverses it", async () => {
    const { pay, secapi } = (await create()).client.v2;
    const { auth_code } = await scene.provider.control("POST", "/users/ada/payment-codes", {});
    const { notify_url: _unknownThere, ...byCode } = order("V2_CODE", { auth_code: String(auth_code) });
    const paid = await pay.micropay.post(byCode);
    expect(paid.data).toMatchObject({ result_code: "SUCCESS", trade_type: "MICROPAY", total_fee: "101" });
    const number = { ...common(), out_trade_no: "V2_CODE" };
    const reversed = await secapi.pay.reverse.post(number, { security: true });
    expect(reversed.data).toMatchObject({ result_code: "SUCCESS", recall: "N" });
    expect((await pay.orderquery.post(number)).data.trade_state).toBe("REVOKED");
  });

  it("fetches a bill as a stream, plain and compressed", async () => {
    const { client, kit } = await create();
    const { pay } = client.v2;
    await pay.unifiedorder.post(order("V2_BILL", { trade_type: "NATIVE", product_id: "tea" }));
    await scene.pay("V2_BILL");
    const { time_end } = kit.Transformer.toObject((await scene.toldOf("V2_BILL")).body);
    const wanted = { ...common(), bill_date: time_end.slice(0, 8), bill_type: "ALL" };
    // Its own check of replies takes a stream for a message without return_code: a bill goes past it.
    const asStream = { responseType: "stream", transformResponse: [] };
    const fetched = async (more: Fields): Promise<Readable> =>
      (await pay.downloadbill.post({ ...wanted, ...more }, asStream)).data;
    const bill = await text(await fetched({}));
    expect(bill).toContain(",`V2_BILL,");
    expect(await text((await fetched({ tar_type: "GZIP" })).pipe(createGunzip()))).toBe(bill);
  });

  it("gets the sandbox key, unsigned as it comes", async () => {
    const { client } = await create();
    const { data } = await client.v2.xdc.apiv2getsignkey.sign.getsignkey.post({ mch_id: scene.app.mchid });
    expect(data).toMatchObject({ return_code: "SUCCESS", sandbox_signkey: expect.stringMatching(/^\w{32}$/) });
  });

  it("gets return_code FAIL when it signs by another key", async () => {
    const { client } = await create({ secret: "0".repeat(32) });
    expect(await axiosFailure(client.v2.pay.orderquery.post({ ...common(), out_trade_no: "V2_BILL" }))).toMatchObject({
      code: "EV2_RES_STATUS_CODE_NOT_SUCESS",
      status: 200,
      data: { return_code: "FAIL", return_msg: "签名错误" },
    });
  });

  it("finds a forged reply out", async () => {
    await scene.provider.control("POST", "/faults", { kind: "reply_signature", times: 1 });
    const { client } = await create();
    expect(await axiosFailure(client.v2.pay.orderquery.post({ ...common(), out_trade_no: "V2_BILL" }))).toMatchObject({
      code: "EV2_RES_SIGNATURE_NOT_EQUAL",
    });
  });
});
