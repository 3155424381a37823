/** The sandbox of version 2, and the bills. */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBill } from "../../../support/payments/bill-lines.ts";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { fieldsOfXml, signatureV2, signedXml, type Fields } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
/** The sandbox's key. */
let key = "";
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  key = (await askForKey("/xdc/apiv2getsignkey/sign/getsignkey")).fields["sandbox_signkey"] ?? "";
});
afterAll(() => provider[Symbol.asyncDispose]());

const prefix = "/xdc/apiv2sandbox";

function askForKey(path: string, signKey = merchant.apiV2Key) {
  const { mch_id = "", nonce_str = "" } = merchant.common();
  return merchant.send(path, signedXml({ mch_id, nonce_str }, signKey));
}

/** A payment by code in the sandbox, which goes as the header says. */
const micropay = (outTradeNo: string, total_fee: string, negative?: string, signal?: AbortSignal) =>
  merchant.micropay(
    outTradeNo,
    { total_fee },
    {
      key,
      prefix,
      ...(negative !== undefined && { headers: { "Wechatpay-Negative-Test": negative } }),
      ...(signal && { signal }),
    },
  );
const query = (outTradeNo: string, headers: Fields = {}) =>
  merchant.call(`${prefix}/pay/orderquery`, { out_trade_no: outTradeNo }, { key, headers });

describe("the sandbox", () => {
  it("returns its key, unsigned, for a signature with the real one, at both addresses", async () => {
    for (const path of ["/xdc/apiv2getsignkey/sign/getsignkey", "/sandboxnew/pay/getsignkey"]) {
      const { fields } = await askForKey(path);
      expect(Object.keys(fields)).toEqual(["return_code", "return_msg", "mch_id", "sandbox_signkey"]);
      expect(fields).toMatchObject({ return_code: "SUCCESS", mch_id: "1900000109", sandbox_signkey: key });
      expect(outcomeOf(await askForKey(path, "another key"))).toBe("签名错误");
    }
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(key).not.toBe(merchant.apiV2Key);
  });

  it("takes its own key only, and signs with it, under both prefixes; the real calls take the real one only", async () => {
    for (const where of [prefix, "/sandboxnew"]) {
      const placed = await merchant.call(`${where}/pay/orderquery`, { out_trade_no: "NONE_SUCH" }, { key });
      expect([outcomeOf(placed), placed.isSigned]).toEqual(["ORDERNOTEXIST", true]);
      const real = await merchant.call(`${where}/pay/orderquery`, { out_trade_no: "NONE_SUCH" });
      expect(outcomeOf(real)).toBe("签名错误");
    }
    expect(outcomeOf(await merchant.query("NONE_SUCH", { key }))).toBe("签名错误");
  });

  it("succeeds by amount: 1 fen without, 2 fen with one and 3 fen with two coupons", async () => {
    const coupons = async (outTradeNo: string, total: string) => {
      const { fields, isSigned } = await micropay(outTradeNo, total);
      expect(isSigned).toBe(true);
      return [fields["cash_fee"], fields["coupon_fee"], fields["coupon_count"], fields["coupon_id_1"]];
    };
    expect(await coupons("SANDBOX_1", "1")).toEqual(["1", undefined, undefined, undefined]);
    expect(await coupons("SANDBOX_2", "2")).toEqual(["1", "1", "1", undefined]);
    expect(await coupons("SANDBOX_3", "3")).toEqual(["1", "2", "2", "10001"]);
    expect((await query("SANDBOX_3")).fields).toMatchObject({ trade_state: "SUCCESS", settlement_total_fee: "1" });
  });

  it("fails as the header asks: USERPAYING, and PAYERROR", async () => {
    expect(outcomeOf(await micropay("SANDBOX_ASKED", "1", "MICROPAY_USERPAYING"))).toBe("USERPAYING");
    expect((await query("SANDBOX_ASKED")).fields["trade_state"]).toBe("USERPAYING");
    expect(outcomeOf(await micropay("SANDBOX_REFUSED", "1", "MICROPAY_PAYERROR"))).toBe("BANKERROR");
    expect((await query("SANDBOX_REFUSED")).fields["trade_state"]).toBe("PAYERROR");
  });

  it.each(["MICROPAY_TIMEOUT", "MICROPAY_PAY_QUERY_TIMEOUT"])(
    "makes the call and sends no notification: %s",
    async (negative) => {
      const leaving = new AbortController();
      const outTradeNo = `SANDBOX_${String(negative.length)}`;
      const told = micropay(outTradeNo, "1", negative, leaving.signal).then(outcomeOf, () => "nothing");
      // Without the header the query tells that the buyer has paid, while the first call still waits.
      await expect.poll(async () => (await query(outTradeNo)).fields["trade_state"]).toBe("SUCCESS");
      leaving.abort();
      expect(await told).toBe("nothing");
    },
  );
});

describe("a notification of the sandbox", () => {
  it("is signed with the sandbox's key", async () => {
    await using receiver = await notificationReceiver();
    const order = { body: "Tea", out_trade_no: "SANDBOX_NOTIFIED", total_fee: "100", spbill_create_ip: "127.0.0.1" };
    const asked = { trade_type: "APP", notify_url: `${receiver.url}/notified` };
    const placed = await merchant.call(`${prefix}/pay/unifiedorder`, { ...order, ...asked }, { key });
    expect(outcomeOf(placed)).toBe("SUCCESS");
    await merchant.pay("SANDBOX_NOTIFIED");
    const fields = fieldsOfXml((await receiver.at("/notified")).body);
    expect(fields["out_trade_no"]).toBe("SANDBOX_NOTIFIED");
    expect(fields["sign"]).toBe(signatureV2(fields, key));
  });
});

describe("a bill", () => {
  // No day may end while a test runs.
  beforeAll(() => {
    const noon = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00+08:00`);
    provider.clock.offsetMs = noon - Date.now();
  });
  const refundSettled = () =>
    expect
      .poll(async () => (await merchant.refundQuery({ out_refund_no: "BILL_REFUND" })).fields["refund_status_0"])
      .toBe("SUCCESS");
  const bill = (fields: Fields) => merchant.call("/pay/downloadbill", fields);
  const failure = async (fields: Fields) => {
    const { fields: reply, status } = await bill(fields);
    expect([status, Object.keys(reply)]).toEqual([200, ["return_code", "return_msg", "error_code"]]);
    return [reply["error_code"], reply["return_msg"]];
  };
  const dayOf = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
  const today = () => dayOf(provider.clock.now());

  it("is refused with the numbers of this call: 20001 for a bad signature or field, 20002 where there is none", async () => {
    expect(await failure({ bill_date: "20260101", sign_type: "MD5", mch_id: "1900000109", appid: "" })).toEqual([
      "20001",
      "缺少参数appid",
    ]);
    const forged = await merchant.call("/pay/downloadbill", { bill_date: today() }, { key: "another key" });
    expect([forged.fields["error_code"], forged.fields["return_msg"]]).toEqual(["20001", "sign error"]);
    expect(await failure({ bill_date: "2026-01-01" })).toEqual(["20001", expect.stringContaining("bill_date")]);
    expect(await failure({ bill_date: today(), bill_type: "SOME" })).toEqual([
      "20001",
      expect.stringContaining("bill_type"),
    ]);
    expect(await failure({ bill_date: "20200101" })).toEqual(["20002", "No Bill Exist"]);
    for (const bill_date of ["20261399", "20260231"])
      expect(await failure({ bill_date })).toEqual(["20001", expect.stringContaining("bill_date")]);
  });

  it("lists what was paid, refunded and reversed, in yuan, from 09:00 of the next day on", async () => {
    const day = today();
    expect(await failure({ bill_date: day })).toEqual(["20003", "Bill Creating"]);
    await merchant.paid("BILL_PAID", { total_fee: "12345", attach: "table 7", body: "Tea,`green`\nlarge" });
    await merchant.refund("BILL_PAID", "BILL_REFUND", { total_fee: "12345", refund_fee: "45" });
    await merchant.micropay("BILL_REVERSED", { total_fee: "100" });
    await merchant.reverse("BILL_REVERSED");
    await merchant.place("BILL_UNPAID");
    provider.clock.offsetMs += 33 * 3_600_000;
    await refundSettled();
    const { text, headers } = await bill({ bill_date: day });
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text.startsWith("交易时间,公众账号ID,")).toBe(true); // the mark of UTF-8 is taken off by fetch
    const { rows, summary } = readBill(text);
    // In the order in which it happened, which may be one and the same millisecond.
    const told = rows.map((row) => [row["商户订单号"], row["交易状态"], row["订单金额"], row["退款金额"]].join(" "));
    expect(told.toSorted()).toEqual([
      "BILL_PAID REFUND 0.00 0.45",
      "BILL_PAID SUCCESS 123.45 0.00",
      "BILL_REVERSED REVOKED 0.00 1.00",
      "BILL_REVERSED SUCCESS 1.00 0.00",
    ]);
    expect(rows.find((row) => row["订单金额"] === "123.45")).toMatchObject({
      商品名称: "Tea, green large",
      商户数据包: "table 7",
      手续费: "0.74070",
      费率: "0.60%",
      商户号: "1900000109",
      交易类型: "JSAPI",
      微信订单号: expect.stringMatching(/^42000\d{23}$/),
    });
    expect(summary).toMatchObject({
      总交易单数: "4",
      订单总金额: "124.45",
      退款总金额: "1.45",
    });
  });

  it("of the account's money lists what came and went with its fee and the balance, for callers who sign by HMAC", async () => {
    const day = dayOf(provider.clock.now() - 33 * 3_600_000);
    const flow = (fields: Fields, how = {}) =>
      merchant.call("/pay/downloadfundflow", { bill_date: day, account_type: "Basic", ...fields }, how);
    const hmac = { signType: "HMAC-SHA256" };
    expect(outcomeOf(await flow({}))).toBe("SIGNERROR");
    expect(outcomeOf(await flow({ account_type: "Fees" }, hmac))).toBe("NO_BILL_EXIST");
    const { text } = await flow({}, hmac);
    expect(text.startsWith("记账时间,微信支付业务单号,资金流水单号,")).toBe(true);
    const { rows, summary } = readBill(text);
    const moved = rows.map((row) =>
      [row["业务凭证号"], row["业务类型"], row["收支类型"], row["收支金额(元)"]].join(" "),
    );
    expect(moved.toSorted()).toEqual([
      "BILL_PAID 交易 收入 123.45",
      "BILL_PAID 扣除交易手续费 支出 0.74",
      "BILL_REFUND 退款 支出 0.45",
      "BILL_REVERSED 交易 收入 1.00",
      "BILL_REVERSED 扣除交易手续费 支出 0.01",
      "BILL_REVERSED 退款 支出 0.99",
    ]);
    expect(new Set(rows.map((row) => row["资金流水单号"])).size).toBe(6);
    expect(rows.at(-1)).toMatchObject({ "账户结余(元)": "122.26" });
    expect(summary).toEqual({
      资金流水总笔数: "6",
      收入笔数: "2",
      收入金额: "124.45",
      支出笔数: "4",
      支出金额: "2.19",
    });
  });

  it("comes as gzip of the same bytes with the mark of UTF-8, of payments or refunds alone, and at once by a setting", async () => {
    const day = dayOf(provider.clock.now() - 33 * 3_600_000);
    const text = async (fields: Fields) => {
      const body = signedXml({ ...merchant.common(), bill_date: day, ...fields }, merchant.apiV2Key);
      const response = await fetch(`${provider.url}/pay/downloadbill`, { method: "POST", body });
      return Buffer.from(await response.arrayBuffer());
    };
    const all = await text({});
    expect(all.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(gunzipSync(await text({ tar_type: "GZIP" }))).toEqual(all);
    const states = async (bill_type: string) =>
      readBill((await text({ bill_type })).toString("utf8").slice(1)).rows.map((row) => row["交易状态"]);
    expect(await states("SUCCESS")).toEqual(["SUCCESS", "SUCCESS"]);
    expect((await states("REFUND")).toSorted()).toEqual(["REFUND", "REVOKED"]);
    expect(await failure({ bill_date: day, bill_type: "RECHARGE_REFUND" })).toEqual(["20002", "No Bill Exist"]);
    await merchant.paid("BILL_TODAY");
    expect(await failure({ bill_date: today() })).toEqual(["20003", "Bill Creating"]);
    await provider.control("PATCH", "/settings", { bills_at_once: true });
    expect((await bill({ bill_date: today() })).text).toContain("`BILL_TODAY,");
  });
});

// After the bills, which have the payments of all production.
describe("the orders of sandbox and production", () => {
  const sides = {
    sandbox: (path: string, fields: Fields) => merchant.call(`${prefix}${path}`, fields, { key }),
    production: (path: string, fields: Fields) => merchant.call(path, fields),
  };

  it.each(["sandbox", "production"] as const)("of %s are none of the other side's", async (side) => {
    const other = sides[side === "sandbox" ? "production" : "sandbox"];
    const out_trade_no = `ONLY_${side}`;
    const paid = await merchant.micropay(out_trade_no, {}, side === "sandbox" ? { key, prefix } : {});
    expect(outcomeOf(paid)).toBe("SUCCESS");
    const { transaction_id = "" } = paid.fields;
    const asked = { out_trade_no, out_refund_no: `${side}-1`, total_fee: "100", refund_fee: "10" };
    for (const number of [{ out_trade_no }, { transaction_id }])
      expect(outcomeOf(await other("/pay/orderquery", number))).toBe("ORDERNOTEXIST");
    expect(outcomeOf(await other("/pay/closeorder", { out_trade_no }))).toBe("ORDERNOTEXIST");
    expect(outcomeOf(await other("/secapi/pay/reverse", { out_trade_no }))).toBe("ORDERNOTEXIST");
    expect(outcomeOf(await other("/secapi/pay/refund", asked))).toBe("ORDERNOTEXIST");

    const { fields: refund } = await sides[side]("/secapi/pay/refund", asked);
    expect(refund["result_code"]).toBe("SUCCESS");
    const { out_refund_no = "", refund_id = "" } = refund;
    for (const number of [{ out_trade_no }, { out_refund_no }, { refund_id }]) {
      expect(outcomeOf(await other("/pay/refundquery", number))).toBe("REFUNDNOTEXIST");
      expect(outcomeOf(await sides[side]("/pay/refundquery", number))).toBe("SUCCESS");
    }
    const statusV3 = side === "production" ? 200 : 404; // version 3 has no sandbox
    const v3 = await createMerchantV3(provider.url);
    expect((await v3.query(out_trade_no)).status).toBe(statusV3);
    expect((await v3.call("GET", `/v3/refund/domestic/refunds/${out_refund_no}`)).status).toBe(statusV3);
  });
});
