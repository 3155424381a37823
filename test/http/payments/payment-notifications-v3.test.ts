/** Which notifications of version 3 the merchant's side reads, and which it refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";
import { headersV3, sealedV3, type Fields } from "../../support/payments/payment-signatures.ts";
import { offlineClient, paymentMerchant } from "../../support/payments/scripted/scripted-payment-provider.ts";
import { merchantOfV3, type MerchantV3 } from "../../support/payments/scripted/scripted-payment-v3.ts";

const { mch_id: mchid, app_id: appid, api_v3_key: key } = paymentMerchant;
const transaction = {
  appid,
  mchid,
  out_trade_no: "HEARTH20260101000001",
  transaction_id: "4200000000202601010000000001",
  trade_state: "SUCCESS",
  trade_type: "JSAPI",
  amount: { total: 101, payer_total: 101, currency: "CNY", payer_currency: "CNY" },
};
const refund = {
  mchid,
  out_trade_no: "HEARTH20260101000001",
  transaction_id: "4200000000202601010000000001",
  refund_id: "50",
  out_refund_no: "R1",
  refund_status: "SUCCESS",
  amount: { total: 101, refund: 50 },
};

let keys: MerchantV3;
let client: PaymentProvider;
beforeAll(async () => {
  keys = await merchantOfV3();
  client = offlineClient(keys.settings);
});
afterAll(() => keys[Symbol.dispose]());

/** The body of a notification about `told`. */
function bodyOf(event_type: string, told: unknown, resource: object = {}): string {
  const text = typeof told === "string" ? told : JSON.stringify(told);
  const type = event_type.startsWith("REFUND") ? "refund" : "transaction";
  return JSON.stringify({
    id: "EV-1",
    create_time: "2026-01-01T08:00:00+08:00",
    event_type,
    resource_type: "encrypt-resource",
    summary: "it happened",
    resource: { original_type: type, ...sealedV3(text, key, type), ...resource },
  });
}
const payment = () => bodyOf("TRANSACTION.SUCCESS", transaction);

interface Sent {
  readonly body: string;
  /** Changes of the headers, after the signature. */
  readonly headers?: Fields;
  /** Unix ms. */
  readonly at?: number;
}

const sentHeaders = ({ body, headers, at }: Sent) => ({
  "content-type": "application/json",
  ...headersV3(body, keys.platform, at),
  ...headers,
});
const readPayment = (sent: Sent) =>
  client.readerOf("v3").readPaymentNotification(Buffer.from(sent.body), sentHeaders(sent));
const readRefund = (sent: Sent) =>
  client.readerOf("v3").readRefundNotification(Buffer.from(sent.body), sentHeaders(sent));

describe("a payment notification of version 3", () => {
  const read = {
    kind: "payment",
    version: "v3",
    outTradeNo: "HEARTH20260101000001",
    total: 101,
    transactionId: "4200000000202601010000000001",
    currency: "CNY",
    tradeState: "SUCCESS",
  };

  it("is read, with whatever else it says", async () => {
    expect(await readPayment({ body: payment() })).toEqual(read);
    const more = { ...transaction, promotion_detail: [{ a: 1 }, { a: 2 }], brand_new: { a: 1, b: { a: 1 } } };
    expect(await readPayment({ body: bodyOf("TRANSACTION.SUCCESS", more) })).toEqual(read);
  });

  it("is read when it was signed some minutes ago, or by a clock that is ahead", async () => {
    for (const ms of [-270_000, 270_000])
      expect(await readPayment({ body: payment(), at: Date.now() + ms })).toEqual(read);
  });

  it("is read from a resource without associated data", async () => {
    const resource = { ...sealedV3(JSON.stringify(transaction), key, ""), associated_data: undefined };
    const body = JSON.stringify({ id: "EV-1", event_type: "TRANSACTION.SUCCESS", resource });
    expect(await readPayment({ body })).toEqual(read);
  });

  /** The known vector of the published algorithm; it lacks what a whole payment says. */
  it("opens the known ciphertext", async () => {
    const resource = {
      nonce: "fdasflkja484",
      associated_data: "transaction",
      ciphertext:
        "/6c1Q/2PJCX1Ky8j0WIv7wLzxfcB8NJOxHvXQwwmrA/cO9pp/L5o+vPDoJA5ARhI1MLLWMoIyk2hoxalmKa3t8iKQMEiXhS5t3UT9XLxDKyg5HrROmF5PugwjYLyLYzRstcVbGYH",
    };
    const refusal = readPayment({ body: bodyOf("TRANSACTION.SUCCESS", "", resource) });
    await expect(refusal).rejects.toMatchObject({ reason: "malformed", message: "The resource has no appid." });
  });

  const serialOfMerchant = () => ({ "wechatpay-serial": keys.merchant.serial });
  const signedByMerchant = (body: string) => ({
    ...headersV3(body, keys.merchant),
    "wechatpay-serial": keys.platform.serial,
  });
  const probe = (body: string) => ({
    "wechatpay-signature": `WECHATPAY/SIGNTEST/${headersV3(body, keys.platform)["wechatpay-signature"] ?? ""}`,
  });
  const tampered = (byte: number) => () => {
    const bytes = Buffer.from(sealedV3(JSON.stringify(transaction), key, "transaction").ciphertext, "base64");
    const index = byte < 0 ? bytes.length + byte : byte;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    return bodyOf("TRANSACTION.SUCCESS", transaction, { ciphertext: bytes.toString("base64") });
  };
  const says = (told: unknown) => () => bodyOf("TRANSACTION.SUCCESS", told);
  it.each<readonly [string, string, (body: string) => Fields]>([
    ["has no signature", "bad_signature", () => ({ "wechatpay-signature": "" })],
    ["has no nonce", "bad_signature", () => ({ "wechatpay-nonce": "" })],
    ["has no serial", "bad_signature", () => ({ "wechatpay-serial": "" })],
    ["has no timestamp", "bad_signature", () => ({ "wechatpay-timestamp": "" })],
    ["has a timestamp that is none", "expired_timestamp", () => ({ "wechatpay-timestamp": "soon" })],
    ["has a signature that is none", "bad_signature", () => ({ "wechatpay-signature": "?" })],
    ["is signed with another key", "bad_signature", signedByMerchant],
    ["is a probe", "signature_probe", probe],
    ["has a byte more than was signed", "bad_signature", () => headersV3(`${payment()} `, keys.platform)],
  ])("is refused when it %s", async (_what, reason, headers) => {
    const body = payment();
    await expect(readPayment({ body, headers: headers(body) })).rejects.toMatchObject({ reason });
  });

  it.each<readonly [string, () => string, string]>([
    ["has another byte in its ciphertext", tampered(0), "undecryptable"],
    ["has another byte in its tag", tampered(-1), "undecryptable"],
    [
      "has other associated data",
      () => bodyOf("TRANSACTION.SUCCESS", transaction, { associated_data: "refund" }),
      "undecryptable",
    ],
    [
      "has another nonce in its resource",
      () => bodyOf("TRANSACTION.SUCCESS", transaction, { nonce: "0".repeat(12) }),
      "undecryptable",
    ],
    [
      "is encrypted with another key",
      () => bodyOf("TRANSACTION.SUCCESS", transaction, sealedV3("{}", "k".repeat(32), "transaction")),
      "undecryptable",
    ],
    [
      "is encrypted with another algorithm",
      () => bodyOf("TRANSACTION.SUCCESS", transaction, { algorithm: "NONE" }),
      "malformed",
    ],
    ["has no ciphertext", () => bodyOf("TRANSACTION.SUCCESS", transaction, { ciphertext: "" }), "malformed"],
    ["is about a refund", () => bodyOf("REFUND.SUCCESS", refund), "wrong_kind"],
    ["is about another merchant", says({ ...transaction, mchid: "7" }), "foreign"],
    ["is about another app", says({ ...transaction, appid: "wx0" }), "foreign"],
    ["names no order", says({ ...transaction, out_trade_no: undefined }), "malformed"],
    ["has no amount", says({ ...transaction, amount: {} }), "malformed"],
    ["has an amount of half a fen", says({ ...transaction, amount: { total: 100.5 } }), "malformed"],
    ["says a name twice", () => payment().replace("{", '{"id":"EV-0",'), "malformed"],
    ["says a name twice, once escaped", () => payment().replace("{", String.raw`{"\u0069d":"EV-0",`), "malformed"],
    ["says a name twice in its resource", says(JSON.stringify(transaction).replace("{", '{"mchid":"7",')), "malformed"],
    ["is not JSON", () => "<xml></xml>", "malformed"],
    ["is empty", () => "", "malformed"],
    ["is a list", () => "[]", "malformed"],
    ["is nested deeply", () => "[".repeat(30_000) + "]".repeat(30_000), "malformed"],
    ["has 64 KiB and a byte", () => payment().padEnd(65_537), "too_long"],
  ])("is refused when it %s", async (_what, make, reason) => {
    const refusal = await readPayment({ body: make() }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "NotificationRefused", reason });
    expect((refusal as Error).message).not.toContain("openid");
  });

  it.each([-360_000, 360_000])("is refused when its timestamp is %i ms away", async (ms) => {
    const late = readPayment({ body: payment(), at: Date.now() + ms });
    await expect(late).rejects.toMatchObject({ reason: "expired_timestamp" });
  });

  it("is refused, for now, when its serial is unknown and keys cannot be fetched", async () => {
    const unknown = readPayment({ body: payment(), headers: serialOfMerchant() });
    await expect(unknown).rejects.toMatchObject({ reason: "keys_unavailable" });
  });

  it("is refused when there are no keys to read it with", async () => {
    const own = { payment_mch_id: mchid, payment_app_id: appid, payment_api_v2_key: paymentMerchant.api_v2_key };
    const body = payment();
    const read = async () =>
      offlineClient(own).readerOf("v3").readPaymentNotification(Buffer.from(body), sentHeaders({ body }));
    await expect(read()).rejects.toMatchObject({ reason: "not_configured" });
  });

  it("is read by a client whose calls are of version 2, where the keys are there", async () => {
    const { merchant, platform } = keys;
    const client = offlineClient(
      {},
      {
        keysV3: async () => ({
          merchant_serial: merchant.serial,
          merchant_private_key: merchant.privateKey,
          platform_serial: platform.serial,
          platform_certificate: platform.publicPart,
        }),
      },
    );
    expect(client.version).toBe("v2");
    const body = payment();
    expect(await client.readerOf("v3").readPaymentNotification(Buffer.from(body), sentHeaders({ body }))).toEqual(read);
  });
});

describe("a refund notification of version 3", () => {
  it.each(["SUCCESS", "ABNORMAL", "CLOSED"])("is read: %s", async (refund_status) => {
    const body = bodyOf(`REFUND.${refund_status}`, { ...refund, refund_status });
    expect(await readRefund({ body })).toEqual({
      kind: "refund",
      version: "v3",
      outTradeNo: "HEARTH20260101000001",
      outRefundNo: "R1",
      status: refund_status,
      transactionId: "4200000000202601010000000001",
      amount: 50,
      currency: "CNY",
    });
  });

  it.each<readonly [string, () => string, string]>([
    ["is about a payment", payment, "wrong_kind"],
    ["is about another merchant", () => bodyOf("REFUND.SUCCESS", { ...refund, mchid: "7" }), "foreign"],
    ["names no refund", () => bodyOf("REFUND.SUCCESS", { ...refund, out_refund_no: "" }), "malformed"],
  ])("is refused when it %s", async (_what, make, reason) => {
    await expect(readRefund({ body: make() })).rejects.toMatchObject({ reason });
  });
});
