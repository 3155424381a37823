/** Lists of orders whose state has changed by nothing but time. */
import { describe, expect, it } from "vitest";
import type { SimOrder } from "../../../server/contract/provider/sim-orders.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

describe("GET /sim/orders?trade_state=", () => {
  const numbersIn = async (own: TestProvider, query: string) => {
    const { orders } = (await own.control("GET", `/orders?${query}`)) as { orders: SimOrder[] };
    expect(orders.every(({ trade_state }) => query.includes(`=${trade_state}`))).toBe(true);
    return orders.map(({ out_trade_no }) => out_trade_no);
  };

  it("CLOSED has the orders whose time is over, page by page, where the platform closes them", async () => {
    await using own = await startTestProvider();
    const one = createMerchantV2(own);
    for (const number of ["EXPIRED_1", "EXPIRED_2", "PAID_BEFORE"]) await one.place(number);
    await one.pay("PAID_BEFORE");
    own.clock.offsetMs += 8 * 86_400_000;
    for (const number of ["OPEN_STILL", "CLOSED_BEFORE"]) await one.place(number);
    await one.close("CLOSED_BEFORE");
    expect(await numbersIn(own, "trade_state=CLOSED")).toEqual(["CLOSED_BEFORE"]);
    await own.control("PATCH", "/settings", { autoCloseAfterExpire: true });
    expect(await numbersIn(own, "trade_state=CLOSED&limit=2")).toEqual(["CLOSED_BEFORE", "EXPIRED_2"]);
    expect(await numbersIn(own, "trade_state=CLOSED&limit=2&before=2")).toEqual(["EXPIRED_1"]);
    expect(await numbersIn(own, "trade_state=NOTPAY")).toEqual(["OPEN_STILL"]);
  });

  it("NOTPAY has the orders whose buyer has given up, CLOSED those whose time is over as well", async () => {
    await using own = await startTestProvider();
    const one = createMerchantV2(own);
    await one.micropay("ASKED_ONCE", { total_fee: "100001" });
    expect(await numbersIn(own, "trade_state=NOTPAY")).toEqual([]);
    own.clock.offsetMs += 60_000;
    expect(await numbersIn(own, "trade_state=NOTPAY")).toEqual(["ASKED_ONCE"]);
    await one.micropay("ASKED_AGAIN", { total_fee: "100001" });
    await own.control("PATCH", "/settings", { autoCloseAfterExpire: true });
    own.clock.offsetMs += 8 * 86_400_000;
    expect(await numbersIn(own, "trade_state=CLOSED")).toEqual(["ASKED_AGAIN", "ASKED_ONCE"]);
  });
});
