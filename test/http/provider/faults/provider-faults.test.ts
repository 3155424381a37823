/** Every kind of fault that payments have, tried once with version 2: what it does, and that it counts as a hit. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SimFaultKind } from "../../../../server/contract/provider/sim-faults.ts";
import {
  playOnce,
  startFaultedProvider,
  type FaultedProvider,
  type Scenario,
} from "../../../support/payments/faulted-provider.ts";
import { fieldsOfXml, signatureV2 } from "../../../support/payments/payment-signatures.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

async function pay(outTradeNo: string): Promise<void> {
  await test.place(outTradeNo);
  await test.pay(outTradeNo);
}

/** What the first delivery about an order that is paid says, and whether its signature fits. */
async function subjectOf(outTradeNo: string) {
  await pay(outTradeNo);
  const [first] = await test.received(outTradeNo);
  const fields = fieldsOfXml(first?.body ?? "");
  const isSigned = fields["sign"] === signatureV2(fields, test.v3.credentials.api_v2_key);
  return { fields, isSigned, body: first?.body ?? "" };
}

/** The merchant gives up as soon as `until` holds, which may take as long as it likes. */
async function givesUp(outTradeNo: string, until: () => Promise<void>) {
  const patience = new AbortController();
  const answer = test.place(outTradeNo, {}, patience.signal);
  await until();
  patience.abort();
  expect(await answer).toEqual({ error: "AbortError" });
}

const placed = (outTradeNo: string) => () => expect.poll(() => test.stateOf(outTradeNo)).toBe("NOTPAY");

const scenarios: Record<Exclude<SimFaultKind, `identity_${string}`>, Scenario> = {
  return_code_fail: {
    async act(outTradeNo) {
      const { said, isSigned } = await test.place(outTradeNo);
      expect(said).toEqual({ return_code: "FAIL", return_msg: "system busy" });
      expect(isSigned).toBe(false);
    },
  },
  err_code: {
    params: { code: "SYSTEMERROR" },
    async act(outTradeNo) {
      const { said, isSigned } = await test.place(outTradeNo);
      expect(said).toMatchObject({ return_code: "SUCCESS", result_code: "FAIL", err_code: "SYSTEMERROR" });
      expect(isSigned).toBe(true);
    },
  },
  trade_state: {
    params: { state: "CLOSED" },
    async act(outTradeNo) {
      await test.place(outTradeNo);
      expect((await test.query(outTradeNo)).said).toMatchObject({ result_code: "SUCCESS", trade_state: "CLOSED" });
      expect(await test.stateOf(outTradeNo)).toBe("NOTPAY");
    },
  },
  order_not_exist: {
    async act(outTradeNo) {
      await test.place(outTradeNo);
      expect((await test.query(outTradeNo)).said).toMatchObject({ err_code: "ORDERNOTEXIST" });
    },
  },
  user_paying: {
    params: { outcome: "SUCCESS", after_queries: 1 },
    async act(outTradeNo) {
      expect((await test.payByCode(outTradeNo)).said).toMatchObject({ err_code: "USERPAYING" });
      expect((await test.query(outTradeNo)).said).toMatchObject({ trade_state: "USERPAYING" });
      expect((await test.query(outTradeNo)).said).toMatchObject({ trade_state: "SUCCESS" });
    },
  },
  pay_error: {
    async act(outTradeNo) {
      expect((await test.payByCode(outTradeNo)).said).toMatchObject({ err_code: "BANKERROR" });
      expect((await test.query(outTradeNo)).said).toMatchObject({ trade_state: "PAYERROR" });
    },
  },
  close_race: {
    async act(outTradeNo) {
      await test.place(outTradeNo);
      expect((await test.close(outTradeNo)).said).toMatchObject({ err_code: "ORDERPAID" });
      expect((await test.query(outTradeNo)).said).toMatchObject({ trade_state: "SUCCESS" });
    },
  },
  refund_outcome: {
    params: { status: "ABNORMAL" },
    async act(outTradeNo) {
      await pay(outTradeNo);
      await test.refund(outTradeNo);
      const status = async () => (await test.v2("/pay/refundquery", { out_trade_no: outTradeNo })).said.refund_status_0;
      await expect.poll(status).toBe("CHANGE");
    },
  },
  no_answer: {
    params: { when: "after" },
    async act(outTradeNo) {
      await givesUp(outTradeNo, placed(outTradeNo));
      expect(await test.callsOf(outTradeNo)).toMatchObject([{ outcome: "no_answer", status: 0, performed: true }]);
    },
  },
  slow_answer: {
    params: { when: "after", delay_ms: 300_000 },
    async act(outTradeNo) {
      await givesUp(outTradeNo, placed(outTradeNo));
      const outcome = async () => (await test.callsOf(outTradeNo))[0]?.outcome;
      await expect.poll(outcome).toBe("caller_left");
    },
  },
  reset: {
    act: async (outTradeNo) => expect(await test.place(outTradeNo)).toEqual({ error: "ECONNRESET" }),
  },
  http_status: {
    params: { status: 502 },
    async act(outTradeNo) {
      expect(await test.place(outTradeNo)).toMatchObject({ status: 502, isSigned: false });
      expect(await test.stateOf(outTradeNo)).toBeUndefined();
    },
  },
  truncated_body: {
    async act(outTradeNo) {
      expect(await test.place(outTradeNo)).toEqual({ error: "UND_ERR_SOCKET" });
      expect(await test.stateOf(outTradeNo)).toBe("NOTPAY");
    },
  },
  reply_signature: {
    async act(outTradeNo) {
      const { said, isSigned } = await test.place(outTradeNo);
      expect(said).toMatchObject({ result_code: "SUCCESS", sign: expect.stringMatching(/^[0-9A-F]{32}$/) });
      expect(isSigned).toBe(false);
    },
  },
  wrong_amount: {
    params: { where: "both", by: 7 },
    async act(outTradeNo) {
      expect(await subjectOf(outTradeNo)).toMatchObject({
        fields: { total_fee: "108", cash_fee: "108" },
        isSigned: true,
      });
    },
  },
  key_switched: {
    params: { where: "reply" },
    async act(outTradeNo) {
      const reply = await test.placeV3(outTradeNo);
      expect([reply.headers.get("wechatpay-serial"), reply.isSigned]).toEqual([
        expect.stringMatching(/^PUB_KEY_ID_/),
        false,
      ]);
    },
  },
  forged_success: {
    async act(outTradeNo) {
      await test.place(outTradeNo);
      const [forgery] = await test.received(outTradeNo);
      expect(fieldsOfXml(forgery?.body ?? "")).toMatchObject({ result_code: "SUCCESS", out_trade_no: outTradeNo });
      expect(await test.stateOf(outTradeNo)).toBe("NOTPAY");
    },
  },
  notification_signature: {
    async act(outTradeNo) {
      expect(await subjectOf(outTradeNo)).toMatchObject({ fields: { out_trade_no: outTradeNo }, isSigned: false });
      await test.received(outTradeNo, 2);
    },
  },
  notification_duplicate: {
    params: { copies: 3 },
    async act(outTradeNo) {
      await pay(outTradeNo);
      const bodies = (await test.received(outTradeNo, 3)).map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
    },
  },
  notification_foreign: {
    params: { field: "appid" },
    act: async (outTradeNo) =>
      expect(await subjectOf(outTradeNo)).toMatchObject({ fields: { appid: "wx0000000000000000" }, isSigned: true }),
  },
  notification_malformed: {
    act: async (outTradeNo) => expect((await subjectOf(outTradeNo)).body).toBe("return_code=SUCCESS&return_msg=OK"),
  },
  notification_return_code_fail: {
    async act(outTradeNo) {
      const { fields } = await subjectOf(outTradeNo);
      expect(fields).toEqual({ return_code: "FAIL", return_msg: "system busy" });
    },
  },
  notification_result_code_fail: {
    async act(outTradeNo) {
      const { fields, isSigned } = await subjectOf(outTradeNo);
      expect(fields).toMatchObject({ return_code: "SUCCESS", result_code: "FAIL", err_code: "BANKERROR" });
      expect(isSigned).toBe(true);
      expect(await test.stateOf(outTradeNo)).toBe("SUCCESS");
    },
  },
  notification_order: {
    params: { how: "payment_after_close" },
    async act(outTradeNo) {
      await test.place(outTradeNo);
      await test.close(outTradeNo);
      const [late] = await test.received(outTradeNo);
      expect(fieldsOfXml(late?.body ?? "")).toMatchObject({ result_code: "SUCCESS", out_trade_no: outTradeNo });
    },
  },
  notification_lost: {
    async act(outTradeNo) {
      await pay(outTradeNo);
      const attempts = async () => (await test.notificationsOf(outTradeNo)).flatMap((one) => one.attempts);
      await expect
        .poll(attempts)
        .toMatchObject([{ verdict: "lost", faults: [{ kind: "notification_lost" }] }, { verdict: "accepted" }]);
    },
  },
  notification_delayed: {
    params: { until: "queried" },
    async act(outTradeNo) {
      await pay(outTradeNo);
      await test.hit();
      await test.query(outTradeNo);
      const [late] = await test.received(outTradeNo);
      expect(fieldsOfXml(late?.body ?? "")).toMatchObject({ out_trade_no: outTradeNo });
    },
  },
};

describe.each(Object.entries(scenarios))("the fault %s", (kind, scenario) => {
  it("does what its description says once, and shows that it has", () => playOnce(test, kind, scenario));
});
