/** What notifications say and when they are repeated, without network and database. */
import { describe, expect, it } from "vitest";
import type { Order } from "../../../server/provider/payments/ledger/ledger.ts";
import { contentOf } from "../../../server/provider/payments/notifier/notification-content.ts";
import { nextDelivery, rescheduled } from "../../../server/provider/payments/notifier/retry-schedule.ts";
import { writeNotification } from "../../../server/provider/payments/notifier/write-notification.ts";
import { fieldsOfXml } from "../../support/payments/payment-signatures.ts";

const order: Order = {
  id: 1,
  mchId: "1900000109",
  appId: "wxd930ea5d5a258f4f",
  outTradeNo: "HEARTH20260101000001",
  tradeType: "JSAPI",
  version: "v2",
  signType: "MD5",
  description: "Hearth test order",
  total: 101,
  currency: "CNY",
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  extra: {},
  tradeState: "SUCCESS",
  expiresAt: 0,
  sandbox: false,
  createdAt: 0,
  prepayId: "wx201410272009395522657a690389285100",
  prepayExpiresAt: 0,
  transactionId: "4200000000202601010000000001",
  paidAt: Date.parse("2026-01-01T08:00:00+08:00"),
  bankType: "OTHERS",
  couponFee: 0,
  refunded: 0,
};
/** A notification of WeChat Pay with the number of its failed attempts. */
const after = (attempts: number) => ({ version: "v2", attempts }) as const;

const keys = {
  apiV2Key: "hearthApiV2Key0123456789abcdef01",
  apiV3Key: "hearthApiV3Key0123456789abcdef01",
  signer: { serial: "", privateKey: "" },
  platformKey: async () => ({ serial: "", privateKey: "" }),
  signedAt: () => 0,
};

describe("a payment notification of version 2", () => {
  it.each([
    ["MD5", "550AAE8F3F2D28CA0939A52245BEAF4E"],
    ["HMAC-SHA256", "247DD679CD53967FCD4133FB668499A6E4EE6D90B0B2CBF584647D8C9D7D38F9"],
  ] as const)("has the fields of the known one, signed by %s as that is", async (signType, sign) => {
    const content = contentOf({ order, at: 0, namesSignType: false });
    if (content.version !== "v2") throw new Error("another version");
    const known = { ...content, fields: { ...content.fields, nonce_str: "5d2b6c2a8db53831f7eda20af46e531c" } };
    const { body } = await writeNotification(known, { ...keys, signType });
    expect(fieldsOfXml(String(body))["sign"]).toBe(sign);
  });

  it("says what coupons paid", () => {
    expect(contentOf({ order: { ...order, couponFee: 1 }, at: 0, namesSignType: false })).toMatchObject({
      fields: { total_fee: "101", cash_fee: "100", coupon_fee: "1", coupon_count: "1", coupon_fee_0: "1" },
    });
  });
});

describe("the next delivery", () => {
  it("is 15 seconds after the first, then after the documented pauses, and none follows the sixteenth", () => {
    expect(nextDelivery(1_000, after(1), 2_000, 1)).toEqual({ base: 1_000, due: 16_000 });
    expect(nextDelivery(1_000, after(15), 2_000, 1)).toEqual({ base: 1_000, due: 86_641_000 });
    expect(nextDelivery(1_000, after(16), 2_000, 1).due).toBeUndefined();
  });

  it("keeps its pauses after a time in which nothing ran: nothing is made up for", () => {
    const late = 7 * 24 * 3_600_000;
    const next = nextDelivery(0, after(4), late, 1);
    expect(next.due).toBe(late + 180_000);
    expect(nextDelivery(next.base, after(5), next.due ?? 0, 1).due).toBe(late + 180_000 + 600_000);
  });

  it("comes after its own pause when the clock was put back, by hours or by days", () => {
    for (const back of [3_600_000, 7 * 24 * 3_600_000]) {
      const { base, due } = nextDelivery(back, after(4), 0, 1);
      expect(due).toBe(180_000);
      expect(nextDelivery(base, after(5), 180_000, 1).due).toBe(180_000 + 600_000);
    }
  });

  it("is rescaled from now on when the clock was put back", () => {
    const { due } = rescheduled({ base: 3_600_000, due: 3_615_000 }, after(1), 0, 2);
    expect(due).toBe(30_000);
  });

  it("of Alipay comes after 4, 10 and 10 minutes, then after 1, 2, 6 and 15 hours, and none follows the eighth", () => {
    const pauses = [4, 10, 10, 60, 120, 360, 900].map((minutes) => minutes * 60_000);
    let at = 0;
    for (const [index, pause] of pauses.entries()) {
      expect(nextDelivery(0, { version: "alipay", attempts: index + 1 }, at, 1)).toEqual({ base: 0, due: at + pause });
      at += pause;
    }
    expect(nextDelivery(0, { version: "alipay", attempts: 8 }, at, 1).due).toBeUndefined();
  });

  it("comes sooner by the scale", () => {
    expect(nextDelivery(0, after(3), 0, 0.001).due).toBe(60);
    expect(nextDelivery(0, after(3), 500, 0).due).toBe(500);
  });
});
