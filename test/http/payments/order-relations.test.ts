/** What the control routes show of one order: its money moves, shares, shipment and complaints. */
import { expect, it } from "vitest";
import type { SimMoneyMove } from "../../../server/contract/provider/sim-money-moves.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { startTestProvider } from "../../support/payments/test-provider.ts";

it("each money move of an order is listed, and its lines add up to zero", async () => {
  await using provider = await startTestProvider();
  const merchant = createMerchantV2(provider);
  await merchant.paid("MOVED_1");
  await merchant.refund("MOVED_1", "R_MOVED_1");
  const moves = (await provider.control("GET", "/orders/MOVED_1/money-moves")) as unknown as SimMoneyMove[];
  expect(moves.map(({ kind }) => kind)).toEqual(["payment", "refund"]);
  expect(moves[0]?.lines).toContainEqual({ account: "buyers", fen: -100 });
  for (const { lines } of moves) expect(lines.reduce((sum, { fen }) => sum + fen, 0)).toBe(0);
  await merchant.place("UNPAID");
  expect(await provider.control("GET", "/orders/UNPAID/money-moves")).toEqual([]);
});

it("shipments and complaints are listed for one order alone", async () => {
  await using provider = await startTestProvider();
  const merchant = createMerchantV2(provider);
  for (const number of ["ORDER_ONE", "ORDER_TWO"]) {
    await merchant.paid(number);
    await provider.control("POST", "/complaints", { out_trade_no: number, detail: "Cold tea" });
  }
  for (const list of ["complaints", "shipments"]) {
    expect(await provider.control("GET", `/${list}`)).toHaveLength(2);
    const found = await provider.control("GET", `/${list}?out_trade_no=ORDER_ONE`);
    expect(found).toMatchObject([{ out_trade_no: "ORDER_ONE", total: 100, openid: expect.any(String) }]);
    expect(await provider.control("GET", `/${list}?out_trade_no=ORDER_ONE&mch_id=1900000999`)).toEqual([]);
  }
});
