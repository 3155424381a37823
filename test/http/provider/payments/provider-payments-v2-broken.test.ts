/** Version 2 over a database that is gone: callers are answered in the form that they can read. */
import { expect, it } from "vitest";
import { pipeline } from "../../../../server/http/pipeline.ts";
import { builtInMerchant } from "../../../../server/provider/payments/merchants/merchants.ts";
import { createV2Routes } from "../../../../server/provider/payments/v2/v2-routes.ts";
import { listen } from "../../../support/process/listen.ts";
import { openTestLedger } from "../../../support/payments/open-ledger.ts";
import { fieldsOfXml, signedXml } from "../../../support/payments/payment-signatures.ts";

it("an internal error of the simulator is answered as a communication failure, and is reported once", async () => {
  const { ledger, ...rest } = await openTestLedger();
  await rest[Symbol.asyncDispose]();
  const merchant = builtInMerchant("wx48656172746854a1");
  const reported: unknown[] = [];
  const noBills = async () => Promise.reject(new Error("no bills in this test"));
  const routes = createV2Routes({
    ledger,
    merchants: { get: async () => merchant, knowsApp: async () => true },
    keys: { certified: () => Promise.resolve([]) },
    bills: { lines: noBills, write: noBills, writeFlow: noBills },
    // No call of them is made.
    authCodes: undefined as never,
    profitSharing: undefined as never,
    papay: undefined as never,
    signPage: () => "",
    settings: () => rest.settings,
    // Without faults and record; what is no refusal is not its business.
    answerCall: async (_res, _call, { perform }) => void (await perform({})),
    recordRefused: async () => undefined,
    payPage: () => "",
    now: Date.now,
    onError: (error) => void reported.push(error),
  });
  await using service = await listen(pipeline([routes], (_error, _req, res) => void res.destroy()));
  const call = async (path: string, fields: Record<string, string>) => {
    const common = { appid: "wx48656172746854a1", mch_id: merchant.mchId, nonce_str: "n" };
    const body = signedXml({ ...common, ...fields }, merchant.apiV2Key);
    const response = await fetch(`${service.url}${path}`, { method: "POST", body });
    return [response.status, fieldsOfXml(await response.text())];
  };
  const failed = { return_code: "FAIL", return_msg: "系统超时" };
  expect(await call("/pay/orderquery", { out_trade_no: "ANY_ORDER" })).toEqual([200, failed]);
  expect(await call("/pay/downloadbill", { bill_date: "20260101" })).toEqual([
    200,
    { return_code: "FAIL", return_msg: "SYSTEMERROR", error_code: "100" },
  ]);
  expect(reported).toEqual([expect.any(Error), expect.any(Error)]);
});
