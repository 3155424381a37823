import { describe, expect, it } from "vitest";
import { KeyedMutex, StillBusy } from "../../../server/app/payments/orders/keyed-mutex.ts";
import { nextInquiryAt } from "../../../server/app/payments/orders/reconcile-times.ts";
import { shareNextRun } from "../../../server/app/payments/orders/share-next-run.ts";
import { mayFollow, statesBefore } from "../../../server/app/payments/store/trade-states.ts";
import { tradeState } from "../../../server/contract/provider/payment-terms.ts";

describe("the mutex of an order", () => {
  it("starts work when all earlier work on the order has ended, even in failure, and does not wait for other orders", async () => {
    const turns = new KeyedMutex();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = turns.run("H1", async () => {
      await gate.promise;
      seen.push("first");
      throw new Error("it failed");
    });
    const second = turns.run("H1", async () => seen.push("second"));
    await turns.run("H2", async () => seen.push("other"));
    gate.resolve();
    await expect(first).rejects.toThrow("it failed");
    await second;
    expect(seen).toEqual(["other", "first", "second"]);
  });

  it("does not start work that cannot begin in time", async () => {
    const turns = new KeyedMutex();
    const gate = Promise.withResolvers<void>();
    const first = turns.run("H1", () => gate.promise);
    let begun = false;
    await expect(turns.run("H1", async () => (begun = true), 1)).rejects.toThrow(StillBusy);
    gate.resolve();
    await first;
    await turns.run("H1", async () => undefined);
    expect(begun).toBe(false);
  });
});

describe("inquiries that wait for the mutex of an order", () => {
  it("are one, which begins after all of them were asked for, and is forgotten also in failure", async () => {
    const mutex = new KeyedMutex();
    const gates: PromiseWithResolvers<string>[] = [];
    const inquire = shareNextRun(mutex, (outTradeNo) => {
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return gate.promise.then((said) => `${outTradeNo} ${said}`);
    });
    const begun = (count: number) => expect.poll(() => gates.length).toBe(count);
    const first = inquire("H1");
    await begun(1);
    const others = [inquire("H1"), inquire("H1"), inquire("H1")];
    const another = inquire("H2");
    await begun(2);
    gates[0]?.reject(new Error("it failed"));
    gates[1]?.resolve("is paid");
    await expect(first).rejects.toThrow("it failed");
    expect(await another).toBe("H2 is paid");
    await begun(3);
    const later = inquire("H1");
    gates[2]?.resolve("is open");
    expect(await Promise.all(others)).toEqual(["H1 is open", "H1 is open", "H1 is open"]);
    await begun(4);
    gates[3]?.resolve("is paid");
    expect(await later).toBe("H1 is paid");
  });

  it("are asked for again when the mutex was never theirs", async () => {
    let isAway = true;
    const mutex = new KeyedMutex();
    const inquire = shareNextRun(
      { run: (...given) => (isAway ? Promise.reject(new Error("the database is away")) : mutex.run(...given)) },
      async () => "is paid",
    );
    await expect(inquire("H1")).rejects.toThrow("away");
    isAway = false;
    expect(await inquire("H1")).toBe("is paid");
  });
});

describe("the reconcile times", () => {
  const second = 1_000;
  it("are 10 s, 30 s, 1, 2, 5, 10 and 30 minutes after the order was made, then hourly", () => {
    const times: number[] = [];
    for (let now = 0; times.length < 9; now = times.at(-1) ?? 0) times.push(nextInquiryAt({ createdAt: 0 }, now));
    expect(times.map((at) => at / second)).toEqual([10, 30, 60, 120, 300, 600, 1800, 5400, 9000]);
  });

  it("are every 10 s up to 45 s for a payment by code, and never later than the order's end", () => {
    const code = { tradeType: "MICROPAY", createdAt: 0 } as const;
    const times = [0, 10, 20, 30, 40, 45].map((now) => nextInquiryAt(code, now * second) / second);
    expect(times).toEqual([10, 20, 30, 40, 45, 60]);
    expect(nextInquiryAt({ createdAt: 0, expiresAt: 7_000 }, 0)).toBe(7_000);
    expect(nextInquiryAt({ createdAt: 0, expiresAt: 7_000 }, 8_000)).toBe(10_000);
  });

  it("are an hour away at most when the clock was put back to before the order was made", () => {
    expect(nextInquiryAt({ createdAt: 24 * 3600 * second }, 0) / second).toBe(3600);
    expect(nextInquiryAt({ createdAt: 20 * second }, 0) / second).toBe(30);
  });

  it("that were missed count as one", () => {
    expect(nextInquiryAt({ createdAt: 0 }, 200 * second) / second).toBe(300);
  });
});

describe("the states of an order", () => {
  it("are never left once they are an end, except SUCCESS and PAYERROR for what takes them back", () => {
    const left = tradeState.options.flatMap((from) =>
      tradeState.options.filter((to) => mayFollow(from, to)).map((to) => `${from} ${to}`),
    );
    const ofEnds = left.filter((one) => !/^(?:NOTPAY|USERPAYING) /.test(one));
    expect(ofEnds.sort()).toEqual(["PAYERROR REVOKED", "SUCCESS REFUND", "SUCCESS REVOKED"]);
    expect(statesBefore("REVOKED").sort()).toEqual(["NOTPAY", "PAYERROR", "SUCCESS", "USERPAYING"]);
    expect(tradeState.options.filter((state) => mayFollow(state, state))).toEqual([]);
  });
});
