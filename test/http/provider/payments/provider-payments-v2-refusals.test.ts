/** Business refusals of version 2: each err_code that a merchant can bring about, call by call. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2, type ReplyV2 } from "../../../support/payments/merchant-v2.ts";
import type { Fields } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  const keys = { api_v2_key: "k".repeat(32), api_v3_key: "v".repeat(32) };
  const other = { app_ids: ["wx0000000000000110"], ...keys, products: ["NATIVE"] };
  await provider.control("PUT", "/merchants/1900000110", other);
});
afterAll(() => provider[Symbol.asyncDispose]());

const days = 24 * 3_600_000;

/** A refusal in its whole form: signed, with code and text; the code. */
function refusalOf(reply: ReplyV2): string | undefined {
  expect(reply.status).toBe(200);
  expect(reply.isSigned).toBe(true);
  expect(reply.fields).toMatchObject({ return_code: "SUCCESS", return_msg: "OK", result_code: "FAIL" });
  expect(Object.keys(reply.fields).slice(6, 9)).toEqual(["result_code", "err_code", "err_code_des"]);
  expect(reply.fields["err_code_des"]).toMatch(/^.{2,128}$/u);
  return reply.fields["err_code"];
}
const refused = async (reply: Promise<ReplyV2>) => refusalOf(await reply);
const set = (settings: object) => provider.control("PATCH", "/settings", settings);

/** Runs `work` under a setting that is then put back. */
async function under(changed: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const before = await provider.control("GET", "/settings");
  await using undo = new AsyncDisposableStack();
  const settings = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name]]));
  undo.defer(async () => void (await set(settings)));
  await set(changed);
  await work();
}

/** A payment by code whose buyer is asked for the password. */
const asked = async (outTradeNo: string) => {
  expect(await refused(merchant.micropay(outTradeNo, { total_fee: "100001" }))).toBe("USERPAYING");
};

describe("unified order is refused with", () => {
  it("APPID_NOT_EXIST for an unknown app, APPID_MCHID_NOT_MATCH for another merchant's", async () => {
    expect(await refused(merchant.place("APP_NONE", { appid: "wx0000000000000000" }))).toBe("APPID_NOT_EXIST");
    expect(await refused(merchant.place("APP_OTHER", { appid: "wx0000000000000110" }))).toBe("APPID_MCHID_NOT_MATCH");
  });

  it("NOAUTH for a product that the merchant has not signed up for", async () => {
    const other = createMerchantV2(provider, { mchId: "1900000110", apiV2Key: "k".repeat(32) });
    const appid = "wx0000000000000110";
    expect(await refused(other.place("PRODUCT_JSAPI", { appid }))).toBe("NOAUTH");
    expect(await refused(other.micropay("PRODUCT_CODE", { appid }))).toBe("NOAUTH");
    expect(outcomeOf(await other.place("PRODUCT_NATIVE", { appid, trade_type: "NATIVE" }))).toBe("SUCCESS");
  });

  it("INVALID_REQUEST for other values than the first time, OUT_TRADE_NO_USED for another product", async () => {
    expect(outcomeOf(await merchant.place("AGAIN_OTHER"))).toBe("SUCCESS");
    for (const changed of [{ total_fee: "101" }, { body: "x" }, { attach: "x" }, { spbill_create_ip: "::1" }])
      expect(await refused(merchant.place("AGAIN_OTHER", changed))).toBe("INVALID_REQUEST");
    expect(await refused(merchant.place("AGAIN_OTHER", { trade_type: "NATIVE" }))).toBe("OUT_TRADE_NO_USED");
    expect(await refused(merchant.micropay("AGAIN_OTHER"))).toBe("OUT_TRADE_NO_USED");
  });

  it("ORDERPAID once it is paid, ORDERCLOSED once it is closed", async () => {
    await merchant.paid("PLACED_PAID");
    expect(await refused(merchant.place("PLACED_PAID"))).toBe("ORDERPAID");
    await merchant.place("PLACED_CLOSED");
    await merchant.close("PLACED_CLOSED");
    expect(await refused(merchant.place("PLACED_CLOSED"))).toBe("ORDERCLOSED");
  });

  it("INVALID_REQUEST for an unknown openid, where the setting is strict", async () => {
    const { openid } = await provider.session("alice");
    await under({ strict_openid: true }, async () => {
      expect(await refused(merchant.place("STRANGER"))).toBe("INVALID_REQUEST");
      expect(outcomeOf(await merchant.place("ACQUAINTED", { openid }))).toBe("SUCCESS");
    });
  });

  const malformed: readonly (readonly [string, Fields])[] = [
    ["a number of 5 characters", { out_trade_no: "12345" }],
    ["a number with a blank", { out_trade_no: "WITH BLANK" }],
    ["a number of 33 characters", { out_trade_no: "N".repeat(33) }],
    ["an amount of 0", { total_fee: "0" }],
    ["an amount in yuan", { total_fee: "1.00" }],
    ["a negative amount", { total_fee: "-1" }],
    ["a body of 129 characters", { body: "体".repeat(129) }],
    ["an attach of 128 characters", { attach: "a".repeat(128) }],
    ["a detail of 6001 characters", { detail: "d".repeat(6001) }],
    ["a notify_url with a query", { notify_url: "http://127.0.0.1/a?b=c" }],
    ["a notify_url that is no address", { notify_url: "127.0.0.1/a" }],
    ["an unknown trade_type", { trade_type: "FACEPAY" }],
    ["a payment by code", { trade_type: "MICROPAY" }],
    ["another currency", { fee_type: "USD" }],
    ["an unknown limit_pay", { limit_pay: "no_debit" }],
    ["a time of 13 digits", { time_expire: "2026010108000" }],
    ["a time that does not exist", { time_start: "20261341000000" }],
    ["an end 59 seconds after the start", { time_start: "20260101080000", time_expire: "20260101080059" }],
    ["scene_info that is no JSON", { scene_info: "{", trade_type: "MWEB" }],
  ];
  it.each(malformed)("INVALID_REQUEST for %s", async (_what, fields) => {
    expect(await refused(merchant.place("MALFORMED", fields))).toBe("INVALID_REQUEST");
  });

  it.each([
    ["time_start", "20260231080000"],
    ["time_expire", "20270231080000"],
    ["time_expire", "20270228240000"],
  ])("INVALID_REQUEST that names %s for a time that no calendar has, %s", async (field, time) => {
    const { fields } = await merchant.place(`TIME_${time}`, { [field]: time });
    expect(fields).toMatchObject({ err_code: "INVALID_REQUEST", err_code_des: expect.stringContaining(field) });
  });

  it("nothing for fields that are just as long as they may be", async () => {
    const fields = { body: "体".repeat(128), attach: "a".repeat(127), detail: "详".repeat(6000), notify_url: longUrl };
    expect(outcomeOf(await merchant.place("N".repeat(32), { ...fields, device_info: "d".repeat(32) }))).toBe("SUCCESS");
  });
  const longUrl = `http://127.0.0.1/${"n".repeat(239)}`;
});

describe("query and close are refused with", () => {
  it("ORDERNOTEXIST for an order that is not there", async () => {
    expect(await refused(merchant.query("NONE_SUCH"))).toBe("ORDERNOTEXIST");
    expect(await refused(merchant.close("NONE_SUCH"))).toBe("ORDERNOTEXIST");
    expect(await refused(merchant.call("/pay/orderquery", { transaction_id: "4200000000" }))).toBe("ORDERNOTEXIST");
  });

  it("PARAM_ERROR for a number that cannot be one", async () => {
    expect(await refused(merchant.query("N".repeat(33)))).toBe("PARAM_ERROR");
    expect(await refused(merchant.close("12345"))).toBe("PARAM_ERROR");
  });

  it("ORDERPAID, ORDERCLOSED, USERPAYING and FREQUENCY_LIMITED where an order cannot be closed, in this order", async () => {
    await under({ closeMinAgeSeconds: 300 }, async () => {
      await merchant.paid("UNCLOSED_PAID");
      expect(await refused(merchant.close("UNCLOSED_PAID"))).toBe("ORDERPAID");
      await asked("UNCLOSED_ASKED");
      expect(await refused(merchant.close("UNCLOSED_ASKED"))).toBe("USERPAYING");
      await merchant.place("UNCLOSED_YOUNG");
      expect(await refused(merchant.close("UNCLOSED_YOUNG"))).toBe("FREQUENCY_LIMITED");
      provider.clock.offsetMs += 300_000;
      expect(outcomeOf(await merchant.close("UNCLOSED_YOUNG"))).toBe("SUCCESS");
      expect(await refused(merchant.close("UNCLOSED_YOUNG"))).toBe("ORDERCLOSED");
    });
  });
});

describe("refund is refused with", () => {
  it("ORDERNOTEXIST for an order that is not there or not paid", async () => {
    await merchant.place("REFUND_UNPAID");
    for (const outTradeNo of ["NONE_SUCH", "REFUND_UNPAID"])
      expect(await refused(merchant.refund(outTradeNo, "R_NONE"))).toBe("ORDERNOTEXIST");
  });

  it("INVALID_TRANSACTIONID for a transaction that cannot be one", async () => {
    expect(await refused(merchant.refund("", "R_TRANSACTION", { transaction_id: "42000x" }))).toBe(
      "INVALID_TRANSACTIONID",
    );
    expect(await refused(merchant.refundQuery({ transaction_id: "42000x" }))).toBe("INVALID_TRANSACTIONID");
  });

  it("PARAM_ERROR for another total, a refund of nothing, or a field that is too long", async () => {
    await merchant.paid("REFUND_PARAMS");
    for (const changed of [
      { total_fee: "99" },
      { refund_fee: "0" },
      { refund_desc: "d".repeat(81) },
      { refund_account: "MINE" },
    ])
      expect(await refused(merchant.refund("REFUND_PARAMS", "R_PARAMS", changed))).toBe("PARAM_ERROR");
    expect(await refused(merchant.refund("REFUND_PARAMS", "R ?"))).toBe("PARAM_ERROR");
    expect(outcomeOf(await merchant.refund("REFUND_PARAMS", `R@|*-_${"9".repeat(58)}`))).toBe("SUCCESS");
  });

  it("REFUND_FEE_MISMATCH for another amount under the same number, ERROR for more than was paid", async () => {
    await merchant.paid("REFUND_AMOUNTS");
    await merchant.refund("REFUND_AMOUNTS", "R_AMOUNT");
    expect(await refused(merchant.refund("REFUND_AMOUNTS", "R_AMOUNT", { refund_fee: "11" }))).toBe(
      "REFUND_FEE_MISMATCH",
    );
    expect(await refused(merchant.refund("REFUND_AMOUNTS", "R_AMOUNT_2", { refund_fee: "91" }))).toBe("ERROR");
  });

  it("NOTENOUGH when the merchant's balance does not cover it; the same number succeeds once it does", async () => {
    const account = { app_ids: [provider.app.appid], api_v2_key: merchant.apiV2Key, api_v3_key: "v".repeat(32) };
    const balance = (fen: number | null) =>
      provider.control("PUT", "/merchants/1900000109", { ...account, balance: fen });
    await merchant.paid("REFUND_BALANCE");
    await balance(9);
    expect(await refused(merchant.refund("REFUND_BALANCE", "R_BALANCE"))).toBe("NOTENOUGH");
    await balance(10);
    expect(outcomeOf(await merchant.refund("REFUND_BALANCE", "R_BALANCE"))).toBe("SUCCESS");
    await balance(null);
  });

  it("FREQUENCY_LIMITED within a minute after the one before it, where the setting says so", async () => {
    await merchant.paid("REFUND_OFTEN");
    await under({ refund_interval_seconds: 60 }, async () => {
      expect(outcomeOf(await merchant.refund("REFUND_OFTEN", "R_OFTEN_1"))).toBe("SUCCESS");
      expect(await refused(merchant.refund("REFUND_OFTEN", "R_OFTEN_2"))).toBe("FREQUENCY_LIMITED");
    });
  });

  it("REFUNDNOTEXIST in the query of a refund that is not there", async () => {
    expect(await refused(merchant.refundQuery({ out_refund_no: "R_NOWHERE" }))).toBe("REFUNDNOTEXIST");
    expect(await refused(merchant.refundQuery({ out_trade_no: "NONE_SUCH" }))).toBe("REFUNDNOTEXIST");
  });

  it("TRADE_OVERDUE a year after the payment", async () => {
    await merchant.paid("REFUND_OLD");
    provider.clock.offsetMs += 366 * days;
    expect(await refused(merchant.refund("REFUND_OLD", "R_OLD"))).toBe("TRADE_OVERDUE");
  });
});

describe("payments by code are refused with", () => {
  it("AUTH_CODE_ERROR, AUTH_CODE_INVALID and AUTHCODEEXPIRE for codes that are invalid, unknown, used or old", async () => {
    const pay = (outTradeNo: string, auth_code: string) => refused(merchant.micropay(outTradeNo, { auth_code }));
    expect(await pay("CODE_ERROR", "12345")).toBe("AUTH_CODE_ERROR");
    expect(await pay("CODE_NOBODY", "130000000000000000")).toBe("AUTH_CODE_INVALID");
    const codes = () => provider.control("POST", "/users/bob/payment-codes", {});
    const used = String((await codes())["auth_code"]);
    expect(outcomeOf(await merchant.micropay("CODE_FIRST", { auth_code: used }))).toBe("SUCCESS");
    expect(await pay("CODE_SECOND", used)).toBe("AUTH_CODE_INVALID");
    const old = String((await codes())["auth_code"]);
    provider.clock.offsetMs += 60_000;
    expect(await pay("CODE_OLD", old)).toBe("AUTHCODEEXPIRE");
  });

  it("ORDERPAID, ORDERREVERSED, ORDERCLOSED, USERPAYING or OUT_TRADE_NO_USED for a number that was used", async () => {
    await merchant.micropay("USED_PAID");
    expect(await refused(merchant.micropay("USED_PAID"))).toBe("ORDERPAID");
    await merchant.reverse("USED_PAID");
    expect(await refused(merchant.micropay("USED_PAID"))).toBe("ORDERREVERSED");
    await asked("USED_ASKED");
    await asked("USED_ASKED");
    await provider.control("POST", "/orders/USED_ASKED/fail?how=cancel");
    const again = () => refused(merchant.micropay("USED_ASKED", { total_fee: "100001" }));
    expect(await again()).toBe("OUT_TRADE_NO_USED");
    await merchant.close("USED_ASKED");
    expect(await again()).toBe("ORDERCLOSED");
  });

  it("BANKERROR when the bank refuses, and PARAM_ERROR for a malformed field", async () => {
    const { auth_code } = await provider.control("POST", "/users/bob/payment-codes", { outcome: "refused" });
    expect(await refused(merchant.micropay("CODE_BANK", { auth_code: String(auth_code) }))).toBe("BANKERROR");
    expect((await merchant.query("CODE_BANK")).fields["trade_state"]).toBe("PAYERROR");
    expect(await refused(merchant.micropay("CODE_PARAM", { total_fee: "1e3" }))).toBe("PARAM_ERROR");
  });
});

describe("reverse is refused with", () => {
  it("ORDERNOTEXIST, INVALID_REQUEST (no payment by code), TRADE_ERROR (refunded) and recall N", async () => {
    await merchant.paid("REVERSE_JSAPI");
    await merchant.micropay("REVERSE_REFUNDED");
    await merchant.refund("REVERSE_REFUNDED", "R_REVERSE");
    for (const [outTradeNo, code] of [
      ["NONE_SUCH", "ORDERNOTEXIST"],
      ["REVERSE_JSAPI", "INVALID_REQUEST"],
      ["REVERSE_REFUNDED", "TRADE_ERROR"],
    ] as const) {
      const reply = await merchant.reverse(outTradeNo);
      expect([refusalOf(reply), reply.fields["recall"]]).toEqual([code, "N"]);
    }
  });

  it("FREQUENCY_LIMITED and recall Y too soon after the payment where the setting says so, REVERSE_EXPIRE after a week", async () => {
    await merchant.micropay("REVERSE_SOON");
    await under({ reverse_min_age_seconds: 15 }, async () => {
      const soon = await merchant.reverse("REVERSE_SOON");
      expect([refusalOf(soon), soon.fields["recall"]]).toEqual(["FREQUENCY_LIMITED", "Y"]);
    });
    provider.clock.offsetMs += 8 * days;
    expect(await refused(merchant.reverse("REVERSE_SOON"))).toBe("REVERSE_EXPIRE");
  });
});
