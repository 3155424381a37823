/** npm wechatpay-node-v3, which we did not write, against version 3 of the simulator over HTTP. */
import { createVerify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReceivedNotification } from "../support/payments/notification-receiver.ts";
import { createNodeV3 } from "../support/payments/payment-sdks.ts";
import { productsV3, signatureOf, startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
// oxlint-disable-next-line typescript/no-explicit-any
let pay: any;
beforeAll(async () => {
  scene = await startSdkScene();
  pay = await createNodeV3(scene.provider.url, scene.credentials);
});
afterAll(() => scene[Symbol.asyncDispose]());

const refusalOf = async (call: Promise<{ status: number; error: string }>) => {
  const { status, error } = await call;
  return [status, JSON.parse(error).code];
};

/** Checks and opens a notification as the client's own documentation says; it fetches the certificate by itself. */
async function opened(notification: ReceivedNotification) {
  const apiSecret = scene.credentials.api_v3_key;
  expect(await pay.verifySign({ ...signatureOf(notification), body: notification.body, apiSecret })).toBe(true);
  const { event_type, resource } = JSON.parse(notification.body);
  const { ciphertext, associated_data, nonce } = resource;
  return { event_type, ...pay.decipher_gcm(ciphertext, associated_data, nonce, apiSecret) };
}

/** What a client app is handed, and whether the merchant's certificate says that it is the merchant's. */
function expectSigned(lines: string[], signature: string): void {
  const verify = createVerify("RSA-SHA256").update(`${lines.join("\n")}\n`);
  expect(verify.verify(scene.credentials.merchant_certificate, signature, "base64")).toBe(true);
}

describe("wechatpay-node-v3", () => {
  it("reads the serial number out of the merchant's certificate, in lower case", () => {
    expect(pay.serial_no).toBe(scene.credentials.merchant_serial.toLowerCase());
  });

  it.each(productsV3)("takes an order of %s through its life", async (product, tradeType, changed) => {
    const number = `NODE_${tradeType}`;
    const placed = await pay[`transactions_${product}`](scene.v3.order(number, changed));
    expect(placed.status).toBe(200);
    const { data } = placed;
    if (product === "native") expect(data).toEqual({ code_url: expect.stringMatching(/^weixin:/) });
    if (product === "h5") expect(data).toEqual({ h5_url: expect.stringMatching(/^http:/) });
    if (product === "jsapi") expectSigned([data.appId, data.timeStamp, data.nonceStr, data.package], data.paySign);
    if (product === "app") expectSigned([data.appid, data.timestamp, data.noncestr, data.prepayid], data.sign);
    const query = async () => (await pay.query({ out_trade_no: number })).data;
    expect((await query()).trade_state).toBe("NOTPAY");

    await scene.pay(number);
    const told = await opened(await scene.toldOf(number));
    expect(told).toMatchObject({ event_type: "TRANSACTION.SUCCESS", ...scene.v3.paid(number, tradeType) });
    const queried = await query();
    expect(queried).toMatchObject(scene.v3.paid(number, tradeType));
    expect((await pay.query({ transaction_id: queried.transaction_id })).data).toEqual(queried);

    const refund = await pay.refunds(scene.v3.refund(number));
    expect([refund.status, refund.data.status]).toEqual([200, "PROCESSING"]);
    const toldRefund = await opened(await scene.toldOfRefund(number));
    expect(toldRefund).toMatchObject({ event_type: "REFUND.SUCCESS", ...scene.v3.refunded(number) });
    const found = await pay.find_refunds(`R-${number}`);
    expect(found.data).toMatchObject({ status: "SUCCESS", refund_id: toldRefund.refund_id });
  });

  it("closes an order", async () => {
    await pay.transactions_native(scene.v3.order("NODE_CLOSED"));
    expect((await pay.close("NODE_CLOSED")).status).toBe(204);
    expect((await pay.query({ out_trade_no: "NODE_CLOSED" })).data.trade_state).toBe("CLOSED");
    expect(await refusalOf(pay.transactions_native(scene.v3.order("NODE_CLOSED")))).toEqual([400, "ORDER_CLOSED"]);
  });

  it("fetches a bill", async () => {
    await pay.transactions_native(scene.v3.order("NODE_BILL"));
    await scene.pay("NODE_BILL");
    const { success_time } = await opened(await scene.toldOf("NODE_BILL"));
    const bill = await pay.tradebill({ bill_date: success_time.slice(0, 10), bill_type: "ALL" });
    expect(bill.data).toMatchObject({ hash_type: "SHA1", download_url: expect.stringMatching(/^http:/) });
  });

  it("finds a forged notification false", async () => {
    await pay.transactions_native(scene.v3.order("NODE_FORGED"));
    await scene.pay("NODE_FORGED");
    const notification = await scene.toldOf("NODE_FORGED");
    const apiSecret = scene.credentials.api_v3_key;
    const body = notification.body.replace("TRANSACTION.SUCCESS", "TRANSACTION.SUCCESSED");
    expect(await pay.verifySign({ ...signatureOf(notification), body, apiSecret })).toBe(false);
  });

  it("fetches the platform's certificates, the renewed one too, and verifies by it", async () => {
    await using own = await startSdkScene();
    const client = await createNodeV3(own.provider.url, own.credentials);
    const fetched = async () =>
      (await client.get_certificates(own.credentials.api_v3_key)).map(
        ({ serial_no }: { serial_no: string }) => serial_no,
      );
    const before = await fetched();
    expect(before).toEqual([own.credentials.platform_serial]);
    await own.provider.control("POST", "/platform-key/rotations");
    const after = await fetched();
    expect(after.slice(1)).toEqual(before);
    await client.transactions_native(own.v3.order("NODE_ROTATED"));
    await own.pay("NODE_ROTATED");
    const notification = await own.toldOf("NODE_ROTATED");
    expect(signatureOf(notification).serial).toBe(after[0]);
    const apiSecret = own.credentials.api_v3_key;
    const checked = { ...signatureOf(notification), body: notification.body, apiSecret };
    expect(await client.verifySign(checked)).toBe(true);
  });

  it("gets 401 SIGN_ERROR when its key is another, 404 for an unknown order", async () => {
    const credentials = { ...scene.credentials, merchant_private_key: scene.foreign.privateKey };
    const other = await createNodeV3(scene.provider.url, credentials);
    expect(await refusalOf(other.query({ out_trade_no: "NODE_CLOSED" }))).toEqual([401, "SIGN_ERROR"]);
    expect(await refusalOf(pay.query({ out_trade_no: "NOWHERE" }))).toEqual([404, "ORDER_NOT_EXIST"]);
  });
});
