/** npm wechatpay-axios-plugin, which we did not write, against version 3 of the simulator over HTTP. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFromPlatform, readCredentials } from "../support/payments/merchant-v3.ts";
import type { ReceivedNotification } from "../support/payments/notification-receiver.ts";
import { axiosFailure, createAxiosPlugin, type AxiosPluginOptions } from "../support/payments/payment-sdks.ts";
import { productsV3, signatureOf, startSdkScene, subsidy, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const create = (options?: AxiosPluginOptions) => createAxiosPlugin(scene.provider.url, scene.credentials, options);
const order = (outTradeNo: string, changed?: object) => ({ ...scene.app, ...scene.v3.order(outTradeNo, changed) });
const byMerchant = () => ({ params: { mchid: scene.app.mchid } });

/** Checks and opens a notification as the client's own documentation says. */
async function opened(notification: ReceivedNotification) {
  const { Rsa, Formatter, Aes } = (await create()).kit;
  const { timestamp, nonce, serial, signature } = signatureOf(notification);
  expect(serial).toBe(scene.credentials.platform_serial);
  const key = Rsa.from(scene.credentials.platform_certificate, "public");
  expect(Rsa.verify(Formatter.response(timestamp, nonce, notification.body), signature, key)).toBe(true);
  const { event_type, resource } = JSON.parse(notification.body);
  const { ciphertext, nonce: iv, associated_data } = resource;
  const text = Aes.AesGcm.decrypt(ciphertext, scene.credentials.api_v3_key, iv, associated_data);
  return { event_type, ...JSON.parse(text) };
}

describe("wechatpay-axios-plugin by version 3", () => {
  const handed = { jsapi: "prepay_id", native: "code_url", app: "prepay_id", h5: "h5_url" };
  it.each(productsV3)("takes an order of %s through its life", async (product, tradeType, changed) => {
    const { client } = await create();
    const number = `AXIOS_${tradeType}`;
    const { transactions } = client.v3.pay;
    const placed = await transactions[product].post(order(number, changed));
    expect([placed.status, Object.keys(placed.data)]).toEqual([200, [handed[product]]]);
    const query = async () => (await transactions.outTradeNo.$no$.get({ ...byMerchant(), no: number })).data;
    expect((await query()).trade_state).toBe("NOTPAY");

    await scene.pay(number);
    const told = await opened(await scene.toldOf(number));
    expect(told).toMatchObject({ event_type: "TRANSACTION.SUCCESS", ...scene.v3.paid(number, tradeType) });
    const queried = await query();
    expect(queried).toMatchObject(scene.v3.paid(number, tradeType));
    const byId = await transactions.id.$id$.get({ ...byMerchant(), id: queried.transaction_id });
    expect(byId.data).toEqual(queried);

    const { refunds } = client.v3.refund.domestic;
    const refund = await refunds.post(scene.v3.refund(number));
    expect([refund.status, refund.data.status]).toEqual([200, "PROCESSING"]);
    const toldRefund = await opened(await scene.toldOfRefund(number));
    expect(toldRefund).toMatchObject({ event_type: "REFUND.SUCCESS", ...scene.v3.refunded(number) });
    const { data } = await refunds.$no$.get({ no: `R-${number}` });
    expect(data).toMatchObject({ status: "SUCCESS", refund_id: toldRefund.refund_id });
    expect((await query()).trade_state).toBe("REFUND");
  });

  it("closes an order: 204, whose signature it checks like any other", async () => {
    const { client } = await create();
    const { transactions } = client.v3.pay;
    await transactions.native.post(order("AXIOS_CLOSED"));
    const body = { mchid: scene.app.mchid };
    expect((await transactions.outTradeNo.$no$.close.post(body, { no: "AXIOS_CLOSED" })).status).toBe(204);
    const { data } = await transactions.outTradeNo.$no$.get({ ...byMerchant(), no: "AXIOS_CLOSED" });
    expect(data.trade_state).toBe("CLOSED");
  });

  it("fetches a bill whose digest is right, plain and compressed", async () => {
    const { client } = await create();
    await client.v3.pay.transactions.native.post(order("AXIOS_BILL"));
    await scene.pay("AXIOS_BILL");
    const { success_time } = await opened(await scene.toldOf("AXIOS_BILL"));
    const bill_date = success_time.slice(0, 10);
    for (const packed of [{}, { tar_type: "GZIP" }]) {
      const { data } = await client.v3.bill.tradebill.get({ params: { bill_date, ...packed } });
      const token = new URL(data.download_url).searchParams.get("token");
      const file = await client.v3.billdownload.file.get({ params: { token }, responseType: "arraybuffer" });
      const text = ("tar_type" in packed ? gunzipSync(file.data) : Buffer.from(file.data)).toString();
      expect([data.hash_type, data.hash_value]).toEqual(["SHA1", createHash("sha1").update(text).digest("hex")]);
      expect(text).toContain("`AXIOS_BILL,");
    }
    const { data } = await client.v3.bill.fundflowbill.get({ params: { bill_date, account_type: "BASIC" } });
    expect(data).toMatchObject({ hash_type: "SHA1", download_url: expect.stringMatching(/^http:/) });
  });

  it("takes a payment by the buyer's code, and reverses it", async () => {
    const { client } = await create();
    const { transactions } = client.v3.pay;
    const { appid, mchid } = scene.app;
    const { auth_code } = await scene.provider.control("POST", "/users/ada/payment-codes", {});
    const scene_info = { store_info: { id: "1" } };
    const { notify_url: _unknownThere, ...body } = order("AXIOS_CODE", { payer: { auth_code }, scene_info });
    const paid = await transactions.codepay.post(body);
    expect([paid.status, paid.data.trade_state]).toEqual([200, "SUCCESS"]);
    const reversed = await transactions.outTradeNo.$no$.reverse.post({ appid, mchid }, { no: "AXIOS_CODE" });
    expect(reversed.data).toMatchObject({ out_trade_no: "AXIOS_CODE" });
  });

  it("names the person who has to pay, encrypted; a name in plain text is refused", async () => {
    const { client, kit } = await create();
    const { native, jsapi, app } = client.v3.pay.transactions;
    const identity = scene.identity(kit.Rsa.encrypt);
    const named = order("AXIOS_NAMED", { payer: { identity } });
    const first = (await native.post(named, scene.encrypted)).data;
    // Encrypted anew, it is the same order.
    const again = { ...named, payer: { identity: scene.identity(kit.Rsa.encrypt) } };
    expect((await native.post(again, scene.encrypted)).data).toEqual(first);
    const plain = order("AXIOS_PLAIN", { payer: { identity: { ...identity, name: "Ada" } } });
    expect(await axiosFailure(native.post(plain, scene.encrypted))).toMatchObject({ data: { code: "PARAM_ERROR" } });
    const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
    const byInstalments = order("AXIOS_SUBSIDY", { payer: { openid, identity }, subsidy_info: subsidy });
    expect((await jsapi.post(byInstalments, scene.encrypted)).status).toBe(200);
    expect((await app.post(order("AXIOS_APP_SUBSIDY", { subsidy_info: subsidy }))).status).toBe(200);
    const wrong = { subsidy_detail: [{ subsidy_period_type: "WEEKLY", subsidy_plan: [] }] };
    expect(await axiosFailure(app.post(order("AXIOS_WRONG", { subsidy_info: wrong })))).toMatchObject({
      data: { code: "PARAM_ERROR" },
    });
  });

  it("redirects an abnormal refund", async () => {
    const { client } = await create();
    await client.v3.pay.transactions.native.post(order("AXIOS_ABNORMAL"));
    await scene.pay("AXIOS_ABNORMAL");
    await scene.provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
    const { refunds } = client.v3.refund.domestic;
    const { refund_id, out_refund_no } = (await refunds.post(scene.v3.refund("AXIOS_ABNORMAL"))).data;
    await scene.provider.control("POST", `/refunds/${refund_id}/finish`, { status: "ABNORMAL" });
    const redirected = await client
      .chain("v3/refund/domestic/refunds/{id}/apply-abnormal-refund")
      .post({ out_refund_no, type: "MERCHANT_BANK_CARD" }, { id: refund_id });
    expect(redirected.data).toMatchObject({ refund_id, channel: "OTHER_BANKCARD" });
    await scene.provider.control("PATCH", "/settings", { refund_seconds: 0 });
  });

  it("asks for each kind of bill; a merchant without personalised ones gets 403", async () => {
    const { client } = await create();
    await client.v3.pay.transactions.native.post(order("AXIOS_KINDS"));
    await scene.pay("AXIOS_KINDS");
    const query = { ...byMerchant(), no: "AXIOS_KINDS" };
    const { success_time } = (await client.v3.pay.transactions.outTradeNo.$no$.get(query)).data;
    const bill = (bill_type: string) =>
      client.v3.bill.tradebill.get({ params: { bill_date: success_time.slice(0, 10), bill_type } });
    for (const type of ["ALL", "SUCCESS"]) expect((await bill(type)).data.download_url).toMatch(/^http/);
    expect(await axiosFailure(bill("RECHARGE_REFUND"))).toMatchObject({ data: { code: "NO_STATEMENT_EXIST" } });
    expect(await axiosFailure(bill("ALL_SPECIAL"))).toMatchObject({ status: 403, data: { code: "NO_AUTH" } });
  });

  it("says of a refusal its status, and the code in its body", async () => {
    const { client } = await create();
    const { transactions } = client.v3.pay;
    expect(await axiosFailure(transactions.outTradeNo.$no$.get({ ...byMerchant(), no: "NOWHERE" }))).toMatchObject({
      status: 404,
      data: { code: "ORDER_NOT_EXIST" },
    });
    expect(await axiosFailure(transactions.native.post(order("AXIOS_WRONG", { amount: {} })))).toMatchObject({
      status: 400,
      data: { code: "PARAM_ERROR", detail: { field: "/amount/total" } },
    });
  });

  it("is refused with 401 SIGN_ERROR when it signs by another key", async () => {
    const { client } = await create({ privateKey: scene.foreign.privateKey });
    expect(await axiosFailure(client.v3.certificates.get())).toMatchObject({
      status: 401,
      data: { code: "SIGN_ERROR" },
    });
  });

  it("refuses the simulator's replies when it has another key under their serial, or none", async () => {
    const { platform_serial: serial, platform_certificate } = scene.credentials;
    const { client: wrongKey } = await create({ certs: { [serial]: scene.foreign.publicKey } });
    expect(await axiosFailure(wrongKey.v3.certificates.get())).toMatchObject({
      code: "EV3_RES_HEADER_SIGNATURE_DIGEST",
    });
    const { client: noKey } = await create({ certs: { ["0".repeat(40)]: platform_certificate } });
    expect(await axiosFailure(noKey.v3.certificates.get())).toMatchObject({ code: "EV3_RES_HEADER_PLATFORM_SERIAL" });
  });

  it("goes on over a renewal of the platform's certificate once it has the new one beside the old, and by a public key", async () => {
    await using own = await startSdkScene();
    const { url } = own.provider;
    const old = own.credentials;
    const createOwn = (certs: Record<string, string>) => createAxiosPlugin(url, old, { certs });
    const { client: before } = await createOwn({ [old.platform_serial]: old.platform_certificate });
    expect((await before.v3.certificates.get()).status).toBe(200);
    await own.provider.control("POST", "/platform-key/rotations");
    expect(await axiosFailure(before.v3.certificates.get())).toMatchObject({ code: "EV3_RES_HEADER_PLATFORM_SERIAL" });
    const renewed = await readCredentials(url);
    const both = {
      [old.platform_serial]: old.platform_certificate,
      [renewed.platform_serial]: renewed.platform_certificate,
    };
    expect((await (await createOwn(both)).client.v3.certificates.get()).data.data).toHaveLength(2);
    await own.provider.control("PUT", "/platform-key", { mode: "public_key" });
    const { platform_public_key_id: id = "", platform_public_key: key = "" } = await readCredentials(url);
    const { client: byKey } = await createOwn({ [id]: key });
    await byKey.v3.pay.transactions.native.post({ ...own.app, ...own.v3.order("BY_PUBLIC_KEY") });
    await own.pay("BY_PUBLIC_KEY");
    const { body, headers } = await own.toldOf("BY_PUBLIC_KEY");
    expect(headers["wechatpay-serial"]).toBe(id);
    expect(isFromPlatform((name) => String(headers[name]), body, key)).toBe(true);
  });
});
