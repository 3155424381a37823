/** Refunds of orders that coupons paid a part of: wherever a merchant looks, each has the same parts, and they sum up. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readBill } from "../../../support/payments/bill-lines.ts";
import { createMerchantV2, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { refundInfo, unsealed } from "../../../support/payments/receivers/notification-secrets.ts";
import { fieldsOfXml } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 3_600, bills_at_once: true });
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());
/** Every test has a day of its own, and so a bill. */
beforeEach(() => void (provider.clock.offsetMs += 24 * 3_600_000));

/** Of 100 fen, 50 by coupons. */
async function paid(outTradeNo: string): Promise<void> {
  await v2.place(outTradeNo);
  await provider.control("POST", `/orders/${outTradeNo}/pay`, { coupon_fen: 50 });
}
const finish = (refundId: string | undefined, status: string) =>
  provider.control("POST", `/refunds/${refundId ?? ""}/finish`, { status });
const refundV3 = (outTradeNo: string, outRefundNo: string, refund: number, notify_url?: string) =>
  v3.call("POST", "/v3/refund/domestic/refunds", {
    ...{ out_trade_no: outTradeNo, out_refund_no: outRefundNo, notify_url },
    amount: { refund, total: 100, currency: "CNY" },
  });
const queryV3 = async (outRefundNo: string) =>
  (await v3.call("GET", `/v3/refund/domestic/refunds/${outRefundNo}`)).json;

const bill_date = () => new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
const bill = async () => readBill((await v2.call("/pay/downloadbill", { bill_date: bill_date() })).text);
async function flowBill() {
  const fields = { bill_date: bill_date(), account_type: "Basic" };
  return readBill((await v2.call("/pay/downloadfundflow", fields, { signType: "HMAC-SHA256" })).text);
}
const cells = (rows: readonly Record<string, string>[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row[name]).join(" "));

it("All places tell the same cash and coupons of each refund, and four quarters of 100 fen return 50 of each", async () => {
  await using receiver = await notificationReceiver();
  await paid("COUPON_QUARTERS");
  const quarter = (number: string) =>
    v2.refund("COUPON_QUARTERS", number, { refund_fee: "25", notify_url: `${receiver.url}/${number}` });
  const replies = [(await quarter("Q-1")).fields, (await quarter("Q-2")).fields];
  const third = await refundV3("COUPON_QUARTERS", "Q-3", 25, `${receiver.url}/Q-3`);
  replies.push((await quarter("Q-4")).fields);
  for (const id of [...replies.map((fields) => fields["refund_id"]), third.json.refund_id as string])
    await finish(id, "SUCCESS");

  const [first, second, fourth] = replies;
  const quarters = { cash: [13, 12, 13, 12], coupons: [12, 13, 12, 13] };
  const parts = (cash: string, coupons: string) => ({
    ...{ settlement_refund_fee: cash, cash_refund_fee: cash, coupon_refund_fee: coupons, coupon_refund_count: "1" },
  });
  expect(first).toMatchObject({ ...parts("13", "12"), cash_fee: "50" });
  expect(second).toMatchObject(parts("12", "13"));
  expect(fourth).toMatchObject(parts("12", "13"));

  const { fields } = await v2.refundQuery({ out_trade_no: "COUPON_QUARTERS" });
  const queried = (name: string) => [0, 1, 2, 3].map((index) => Number(fields[`${name}_${String(index)}`]));
  expect(queried("settlement_refund_fee")).toEqual(quarters.cash);
  expect(queried("coupon_refund_fee")).toEqual(quarters.coupons);
  expect(queried("coupon_refund_count")).toEqual([1, 1, 1, 1]);

  const views = await Promise.all(["Q-1", "Q-2", "Q-3", "Q-4"].map(queryV3));
  const inAll = { total: 100, refund: 25, payer_total: 50 };
  expect(third.json).toMatchObject({ amount: views[2].amount, promotion_detail: views[2].promotion_detail });
  views.forEach(({ amount, promotion_detail }, index) => {
    const [cash, coupons] = [quarters.cash[index], quarters.coupons[index]];
    const settled = { settlement_total: 50, settlement_refund: cash, discount_refund: coupons };
    expect(amount).toMatchObject({ ...inAll, ...settled, payer_refund: cash });
    expect(promotion_detail).toMatchObject([{ amount: 50, refund_amount: coupons }]);
  });

  for (const [index, number] of [[0, "Q-1"] as const, [1, "Q-2"] as const, [3, "Q-4"] as const]) {
    const { req_info } = fieldsOfXml((await receiver.at(`/${number}`)).body);
    expect(refundInfo(req_info, v2.apiV2Key)).toMatchObject({
      ...{ total_fee: "100", settlement_total_fee: "50", refund_fee: "25" },
      settlement_refund_fee: String(quarters.cash[index]),
    });
  }
  const toldV3 = unsealed((await receiver.at("/Q-3")).body, v3.credentials.api_v3_key);
  expect(toldV3).toMatchObject({ amount: { ...inAll, payer_refund: 13 } });

  const { rows, summary } = await bill();
  const refunds = rows.filter((row) => row["交易状态"] === "REFUND").toSorted(byRefundNumber);
  expect(cells(refunds, "退款金额", "充值券退款金额", "申请退款金额", "手续费")).toEqual([
    "0.13 0.12 0.25 -0.00078",
    "0.12 0.13 0.25 -0.00072",
    "0.13 0.12 0.25 -0.00078",
    "0.12 0.13 0.25 -0.00072",
  ]);
  expect(summary).toMatchObject({
    ...{ 应结订单总金额: "0.50", 退款总金额: "0.50", 充值券退款总金额: "0.50", 申请退款总金额: "1.00" },
    手续费总金额: "0.00000",
  });
  const flows = (await flowBill()).rows;
  const given = flows.filter((row) => row["收支类型"] === "支出").toSorted(byRefundNumber);
  expect(cells(given, "收支金额(元)")).toEqual(["0.13", "0.12", "0.13", "0.12"]);
  expect(flows.at(-1)).toMatchObject({ "账户结余(元)": "0.00" });
});
/** Lines of one moment have no order of their own. */
const byRefundNumber = (a: Record<string, string>, b: Record<string, string>) =>
  (a["商户退款单号"] ?? a["业务凭证号"] ?? "") < (b["商户退款单号"] ?? b["业务凭证号"] ?? "") ? -1 : 1;

it("A refund keeps the parts that were told when another is closed, and the last one returns the coupons' rest", async () => {
  await paid("COUPON_CLOSED");
  const { json } = await refundV3("COUPON_CLOSED", "CLOSED-1", 25);
  const { fields } = await v2.refund("COUPON_CLOSED", "KEPT-1", { refund_fee: "25" });
  await finish(json.refund_id, "CLOSED");
  const rest = await refundV3("COUPON_CLOSED", "REST-1", 75);
  expect(fields).toMatchObject({ coupon_refund_fee: "13" });
  expect((await queryV3("KEPT-1")).amount).toMatchObject({ payer_refund: 12, discount_refund: 13 });
  expect(rest.json.amount).toMatchObject({ payer_refund: 38, discount_refund: 37 });
  expect((await queryV3("CLOSED-1")).amount).toEqual(json.amount);

  const { rows, summary } = await bill();
  const refunds = rows.filter((row) => row["交易状态"] === "REFUND");
  expect(cells(refunds, "商户退款单号", "退款状态", "退款金额", "申请退款金额").toSorted()).toEqual([
    "CLOSED-1 FAIL 0.00 0.25",
    "KEPT-1 PROCESSING 0.12 0.25",
    "REST-1 PROCESSING 0.38 0.75",
  ]);
  expect(summary).toMatchObject({
    ...{ 总交易单数: "4", 退款总金额: "0.50", 充值券退款总金额: "0.50", 申请退款总金额: "1.25" },
    手续费总金额: "0.00000",
  });
});
