/** Faults of notifications in their variants, with both versions: what is wrong with what arrives, and nothing else. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  startFaultedProvider,
  type FaultInput,
  type FaultedProvider,
} from "../../../support/payments/faulted-provider.ts";
import { checkedV2, checkedV3, type Checked } from "../../../support/payments/receivers/notification-problems.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

type Version = "v2" | "v3";
const check = { v2: checkedV2, v3: checkedV3 };
let orders = 0;

/**
 * What comes of an order that is paid, in the order of arrival. The fault is for this order alone: what is still to come of
 * others does not meet it.
 */
async function told(version: Version, count: number, fault: FaultInput): Promise<Checked[]> {
  const outTradeNo = `NOTIFIED-${String(++orders)}`;
  await test.add({ times: 1, ...fault, scope: { out_trade_no: outTradeNo } } as FaultInput);
  await (version === "v2" ? test.place(outTradeNo) : test.placeV3(outTradeNo));
  await test.pay(outTradeNo);
  const received = await test.received(outTradeNo, count);
  return received.map((one) => check[version](one, test.v3.credentials));
}

/** What comes of the refund of one. */
async function toldOfRefund(version: Version, fault: FaultInput): Promise<Checked[]> {
  const outTradeNo = `REFUNDED-${String(++orders)}`;
  await test.add({ ...fault, times: 1, scope: { out_trade_no: outTradeNo } } as FaultInput);
  await test.place(outTradeNo);
  await test.pay(outTradeNo);
  await test.received(outTradeNo);
  if (version === "v2") await test.refund(outTradeNo);
  else
    await test.v3.call("POST", "/v3/refund/domestic/refunds", {
      out_trade_no: outTradeNo,
      out_refund_no: `R-${outTradeNo}`,
      notify_url: `${test.receiver.url}/${outTradeNo}-refund`,
      amount: { refund: 40, total: 101, currency: "CNY" },
    });
  const received = await test.received(`${outTradeNo}-refund`);
  return received.map((one) => check[version](one, test.v3.credentials));
}

const foreign = "notification_foreign";
const signature = "notification_signature";
const malformed = "notification_malformed";

/** By kind, parameters and version: what a careful receiver finds. */
const rows: readonly (readonly [kind: string, params: object, version: Version, problems: readonly string[]])[] = [
  [signature, { how: "wrong_key" }, "v2", ["sign"]],
  [signature, { how: "changed_field" }, "v2", ["sign"]],
  [signature, { how: "missing" }, "v2", ["sign"]],
  [signature, { how: "other_type" }, "v2", ["sign"]],
  [signature, { how: "wrong_key" }, "v3", ["signature"]],
  [signature, { how: "changed_field" }, "v3", ["signature"]],
  [signature, { how: "missing" }, "v3", ["signature"]],
  [signature, { how: "other_type" }, "v3", ["signature"]],
  [signature, { how: "signtest" }, "v3", ["signature"]],
  [signature, { how: "unknown_serial" }, "v3", ["serial"]],
  [signature, { how: "timestamp_past" }, "v3", ["timestamp"]],
  [signature, { how: "timestamp_future" }, "v3", ["timestamp"]],
  [signature, { how: "tampered_tag" }, "v3", ["resource"]],
  [signature, { how: "tampered_aad" }, "v3", ["resource"]],
  [foreign, { field: "appid" }, "v2", ["appid"]],
  [foreign, { field: "mch_id" }, "v2", ["mch_id"]],
  [foreign, { field: "appid" }, "v3", ["appid"]],
  [foreign, { field: "mch_id", value: "1900000110" }, "v3", ["mch_id"]],
  [malformed, { how: "no_markup" }, "v2", ["form", "sign", "appid", "mch_id"]],
  [malformed, { how: "doctype" }, "v2", ["form"]],
  [malformed, { how: "duplicate_keys" }, "v2", ["field twice"]],
  [malformed, { how: "huge" }, "v2", ["size"]],
  [malformed, { how: "extra_fields" }, "v2", []],
  [malformed, { how: "sign_type" }, "v2", []],
  [malformed, { how: "no_markup" }, "v3", ["form"]],
  [malformed, { how: "doctype" }, "v3", ["form"]],
  [malformed, { how: "huge" }, "v3", ["size"]],
  [malformed, { how: "extra_fields" }, "v3", []],
];

describe("a notification of a payment", () => {
  it.each(rows)("with %s %j of version %s has these problems: %j", async (kind, params, version, problems) => {
    const [first] = await told(version, 1, { kind, params } as FaultInput);
    expect(first?.problems).toEqual(problems);
    expect(await test.list()).toMatchObject([{ hits: 1 }]);
  });

  it.each(["v2", "v3"] as const)("comes genuine at the next time after a forged one, version %s", async (version) => {
    const [forged, genuine] = await told(version, 2, { kind: signature, params: { how: "wrong_key" } });
    expect(forged?.problems).toHaveLength(1);
    expect(genuine?.problems).toEqual([]);
  });

  it.each(["out_trade_no", "transaction_id"] as const)("names a foreign %s, signed rightly", async (field) => {
    for (const version of ["v2", "v3"] as const) {
      const [first] = await told(version, 1, { kind: foreign, params: { field, value: "42000SOMEBODY" } });
      expect(first).toMatchObject({ problems: [], said: { [field]: "42000SOMEBODY" } });
    }
  });

  it("has another amount and currency, correctly signed", async () => {
    const fault = { kind: "wrong_amount", params: { by: -100, currency: "USD" } } as const;
    const [v2] = await told("v2", 1, fault);
    expect(v2).toMatchObject({ problems: [], said: { total_fee: "1", cash_fee: "1", fee_type: "USD" } });
    const [v3] = await told("v3", 1, fault);
    expect(v3).toMatchObject({ problems: [], said: { amount: { total: 1, payer_total: 1, currency: "USD" } } });
  });

  it("has the same wrong amount as queries, when both are faulted", async () => {
    const [first] = await told("v2", 1, { kind: "wrong_amount", params: { by: 7, where: "both" }, times: 1_000 });
    const { said } = await test.query(first?.said.out_trade_no as string);
    expect([first?.said.total_fee, said.total_fee, said.trade_state]).toEqual(["108", "108", "SUCCESS"]);
  });

  it("says that it failed, in either version, though the order is paid", async () => {
    const fault = { kind: "notification_result_code_fail", params: { code: "NOTENOUGH" } } as const;
    const [v2] = await told("v2", 1, fault);
    expect(v2).toMatchObject({ problems: [], said: { result_code: "FAIL", err_code: "NOTENOUGH" } });
    const [v3] = await told("v3", 1, fault);
    expect(v3).toMatchObject({ problems: [], said: { trade_state: "PAYERROR" } });
  });

  it("comes in copies at the same time, ten of them, each with the same content", async () => {
    const fault = { kind: "notification_duplicate", params: { copies: 10, concurrent: true } } as const;
    for (const { problems } of await told("v3", 10, fault)) expect(problems).toEqual([]);
  });
});

describe("a notification of a refund", () => {
  it("has another amount, or a changed req_info in place of a signature", async () => {
    const [first] = await toldOfRefund("v2", { kind: "wrong_amount", params: { by: 1, about: "refund" } });
    expect(first).toMatchObject({ problems: [], said: { refund_fee: "41", settlement_refund_fee: "41" } });
    const [second] = await toldOfRefund("v2", { kind: signature, params: { how: "signtest", about: "refund" } });
    expect(second?.problems).toEqual(["req_info"]);
  });

  it("is forged in version 3, while that of the payment is left alone", async () => {
    const [first] = await toldOfRefund("v3", { kind: signature, params: { how: "tampered_tag", about: "refund" } });
    expect(first?.problems).toEqual(["resource"]);
  });
});
