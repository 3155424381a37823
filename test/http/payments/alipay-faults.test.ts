/** Faults of calls and notifications at the simulated gateway of Alipay. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAlipayScene, type AlipayScene } from "../../support/payments/alipay-scene.ts";

let scene: AlipayScene;
// oxlint-disable-next-line typescript/no-explicit-any
let sdk: any;
beforeAll(async () => {
  scene = await startAlipayScene();
  sdk = await scene.sdk();
});
afterAll(() => scene[Symbol.asyncDispose]());

let count = 0;
const newNumber = () => `FAULTY_${String(++count)}`;
const checked = { validateSign: true };
const place = (out_trade_no: string, common: object = {}) => {
  const bizContent = { out_trade_no, total_amount: "10.00", subject: "Tea", buyer_id: "2088102177846880" };
  return sdk.exec("alipay.trade.create", { bizContent, ...common }, checked);
};
const query = (out_trade_no: string) => sdk.exec("alipay.trade.query", { bizContent: { out_trade_no } }, checked);

describe("a fault", () => {
  const arm = (kind: string, out_trade_no: string, params: object = {}) =>
    scene.provider.control("POST", "/faults", { kind, params, scope: { out_trade_no }, times: 1 });

  it.each(["wrong_key", "changed_field", "missing"])(
    "sends a notification whose signature is %s, then the genuine one",
    async (how) => {
      const out_trade_no = newNumber();
      const common = { notify_url: scene.notifyUrl(out_trade_no) };
      await place(out_trade_no, common);
      const sent = await scene.provider.control("POST", `/orders/${out_trade_no}/notifications`, {
        ...{ kind: "notification_signature", params: { how } },
      });
      expect(sent).toMatchObject({ deliveries: [{ accepted: true, verdict: "believed" }] });
      const forged = await scene.noticeOf(out_trade_no);
      expect([forged["trade_status"], sdk.checkNotifySignV2(forged)]).toEqual(["TRADE_SUCCESS", false]);
    },
  );

  it("reports another amount in a notification that is signed", async () => {
    const out_trade_no = newNumber();
    const common = { notify_url: scene.notifyUrl(out_trade_no) };
    await arm("wrong_amount", out_trade_no, { by: 1, where: "notification" });
    await place(out_trade_no, common);
    await scene.act(out_trade_no, "pay");
    const notice = await scene.noticeOf(out_trade_no);
    expect([notice["total_amount"], sdk.checkNotifySignV2(notice)]).toEqual(["10.01", true]);
  });

  it("refuses a call, spoils its reply, or reports another state", async () => {
    const { outTradeNo } = await place(newNumber());
    await arm("err_code", outTradeNo, { code: "SYSTEMERROR", calls: ["orderquery"] });
    expect(await query(outTradeNo)).toMatchObject({ code: "40004", subCode: "ACQ.SYSTEM_ERROR" });
    await arm("return_code_fail", outTradeNo, { calls: ["orderquery"] });
    expect(await sdk.exec("alipay.trade.query", { bizContent: { out_trade_no: outTradeNo } })).toMatchObject({
      ...{ code: "20000", subCode: "aop.unknow-error" },
    });
    await arm("reply_signature", outTradeNo, { how: "changed_body" });
    await expect(query(outTradeNo)).rejects.toThrow("验签失败");
    await arm("trade_state", outTradeNo, { state: "CLOSED", queries: 1 });
    expect(await query(outTradeNo)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
  });
});
