import { describe, expect, it } from "vitest";
import { createOrderFeed, type ChangedOrders } from "../../../../../renderer/features/payments/list/order-feed.ts";
import { fetchCurrent } from "../../../../../renderer/features/payments/list/fetch-current.ts";
import {
  changedBeyond,
  withNewest,
  type OrderPage,
} from "../../../../../renderer/features/payments/list/order-list.ts";
import { appendOlder } from "../../../../../renderer/ui/table/live-list.ts";
import type { ListedOrder } from "../../../../../renderer/features/payments/list/order-row.ts";
import { leftToRefund } from "../../../../../renderer/features/payments/controls/refunds-left.ts";
import { movesFrom, reachable } from "../../../../../renderer/features/payments/states/moves.ts";
import type { CloudEvent } from "../../../../../server/contract/console/traffic/stored-event.ts";

const row = (id: number, state: ListedOrder["state"] = "NOTPAY") =>
  ({ id, outTradeNo: `ORDER_${id}`, state }) as ListedOrder;
const pageOf = (rows: readonly ListedOrder[], complete: boolean): OrderPage => ({
  ...{ rows, complete },
  ...{ total: rows.length, stored: rows.length },
});
const page = (more: boolean, ...ids: number[]): OrderPage =>
  pageOf(
    ids.map((id) => row(id)),
    !more,
  );
const ids = ({ rows }: OrderPage) => rows.map(({ id }) => id);
const nothing = { asked: new Set<string>(), found: [] };

describe("The list of orders", () => {
  it("puts newer orders in front of those that are held, each once, and older ones behind", () => {
    const held = appendOlder(page(true, 5, 4), page(false, 4, 3, 2));
    expect([ids(held), !held.complete]).toEqual([[5, 4, 3, 2], false]);
    const now = withNewest(held, page(true, 6, 5, 4), nothing);
    expect([ids(now), !now.complete]).toEqual([[6, 5, 4, 3, 2], false]);
  });

  it("gives an order that has not changed back as the same object, and one that has as a new one", () => {
    for (const more of [true, false]) {
      const held = page(more, 5, 4, 3);
      const now = withNewest(held, pageOf([row(6), row(5), row(4, "SUCCESS")], !more), nothing);
      expect(now.rows[1]).toBe(held.rows[0]);
      expect(now.rows[2]).toEqual(row(4, "SUCCESS"));
    }
  });

  it("begins anew where orders between the newest page and the held ones are missing", () => {
    expect(ids(withNewest(page(false, 5, 4), page(true, 9, 8), nothing))).toEqual([9, 8]);
  });

  it("replaces a held order beyond the newest page that has changed, and drops one that fits the filter no more", () => {
    const held = page(false, 9, 8, 3, 2, 1);
    const newest = page(true, 9, 8);
    const asked = new Set(changedBeyond(held, newest, new Set(["ORDER_9", "ORDER_3", "ORDER_2"])));
    expect([...asked]).toEqual(["ORDER_3", "ORDER_2"]);
    const now = withNewest(held, newest, { asked, found: [row(3, "SUCCESS")] });
    expect(now.rows.map(({ id, state }) => [id, state].join(" "))).toEqual([
      "9 NOTPAY",
      "8 NOTPAY",
      "3 SUCCESS",
      "1 NOTPAY",
    ]);
  });
});

/** A server with the orders 1 to `count`, all of which were paid after they were fetched. */
function paidOrders(count: number) {
  const asked: string[] = [];
  const load = (before = count + 1): Promise<OrderPage> => {
    asked.push("page");
    const length = Math.min(100, before - 1);
    const rows = Array.from({ length }, (_, index) => row(before - 1 - index, "SUCCESS"));
    return Promise.resolve(pageOf(rows, before - 1 === length));
  };
  const loadOne = (number: string) => {
    asked.push(number);
    return Promise.resolve([row(Number(number.slice("ORDER_".length)), "SUCCESS")]);
  };
  return { load, loadOne, asked };
}
const unpaid = (from: number, to: number): OrderPage =>
  page(to > 1, ...Array.from({ length: from - to + 1 }, (_, index) => from - index));
const paidOf = ({ rows }: OrderPage) => rows.filter(({ state }) => state === "SUCCESS").length;

describe("Orders that are held beyond the newest page", () => {
  const numbers = (from: number, count: number) =>
    new Set(Array.from({ length: count }, (_, index) => `ORDER_${from - index}`));

  it("are fetched by themselves where few of them have changed", async () => {
    const server = paidOrders(250);
    const now = await fetchCurrent({ ...server, held: () => unpaid(250, 1) }, numbers(120, 20));
    expect([now.rows.length, paidOf(now), !now.complete]).toEqual([250, 120, false]);
    expect(server.asked).toEqual(["page", ...numbers(120, 20)]);
  });

  it.each([
    ["many have changed", numbers(300, 21)],
    ["any may have changed", undefined],
  ])("are fetched as pages, as far as they are held, where %s", async (_, changed) => {
    const server = paidOrders(450);
    const now = await fetchCurrent({ ...server, held: () => unpaid(450, 151) }, changed);
    expect([now.rows.length, paidOf(now), !now.complete]).toEqual([300, 300, true]);
    expect(server.asked).toEqual(["page", "page", "page"]);
  });

  it("are given up beyond a thousand: they come back on demand", async () => {
    const now = await fetchCurrent({ ...paidOrders(5_000), held: () => unpaid(5_000, 1) }, undefined);
    expect([now.rows.length, paidOf(now), !now.complete]).toEqual([1_000, 1_000, true]);
  });
});

describe("The feed of changed orders", () => {
  it("collects the changes of both sides, and reports after a reset that anything may have changed", async () => {
    let tellEvents: (events: CloudEvent[]) => void = () => undefined;
    const listeners = new Map<string, (message: { data?: unknown }) => void>();
    const feed = createOrderFeed({
      live: {
        subscribe(listen) {
          tellEvents = listen;
          return () => undefined;
        },
        subscribeOpen: () => () => undefined,
      },
      openChanges: () => ({
        readyState: 1,
        addEventListener: (type, listen) => void listeners.set(type, listen),
        close: () => undefined,
      }),
      everyMs: 1,
    });
    const told: ChangedOrders[] = [];
    const next = () =>
      new Promise<ChangedOrders>((resolve) => {
        const stop = feed.subscribe((changed) => {
          told.push(changed);
          stop();
          resolve(changed);
        });
      });
    const stop = feed.start();
    const event = (type: string, data: object) => ({ type, data }) as CloudEvent;
    const first = next();
    tellEvents([
      event("order.placed", { out_trade_no: "A" }),
      event("file.changed", {}),
      event("payment.settled", { out_trade_no: "B" }),
    ]);
    expect([...((await first) ?? [])]).toEqual(["A", "B"]);
    const second = next();
    listeners.get("reset")?.({ data: "{}" });
    expect(await second).toBeUndefined();
    expect(told.length).toBe(2);
    stop();
  });
});

describe("The transitions of an order", () => {
  it("are those of its product: only scanned orders become USERPAYING, only payments by code PAYERROR or REVOKED", () => {
    expect([...reachable("JSAPI")].sort()).toEqual(["CLOSED", "NOTPAY", "REFUND", "SUCCESS"]);
    expect([...reachable("NATIVE")].sort()).toEqual(["CLOSED", "NOTPAY", "REFUND", "SUCCESS", "USERPAYING"]);
    expect(reachable("MICROPAY").size).toBe(7);
    expect(movesFrom({ state: "SUCCESS", type: "JSAPI" }).map(({ to }) => to)).toEqual(["REFUND"]);
    expect(movesFrom({ state: "SUCCESS", type: "MICROPAY" }).map(({ to }) => to)).toEqual(["REFUND", "REVOKED"]);
    expect(movesFrom({ state: "CLOSED", type: "JSAPI" })).toEqual([]);
  });
});

describe("What can still be refunded", () => {
  type Refunds = Parameters<typeof leftToRefund>[0]["refunds"];
  const refunds = (...refunded: [amount: number, status: string][]) =>
    refunded.map(([amount, status]) => ({ amount, status })) as Refunds;

  it("is the rest of the amount, where a closed refund gave nothing back but counts as one of fifty", () => {
    const order = { amount: 250, refunds: refunds([50, "SUCCESS"], [100, "CLOSED"], [20, "PROCESSING"]) };
    expect(leftToRefund(order)).toEqual({ refunded: 50, underWay: 20, fen: 180, times: 47 });
    expect(leftToRefund({ amount: 250, refunds: [] })).toEqual({ refunded: 0, underWay: 0, fen: 250, times: 50 });
    expect(leftToRefund({ amount: 250, refunds: refunds([250, "SUCCESS"]) })).toMatchObject({ refunded: 250, fen: 0 });
  });

  it("is nothing while all is under way or could not be paid out, which has not gone back", () => {
    const left = { refunded: 0, fen: 0 };
    expect(leftToRefund({ amount: 250, refunds: refunds([250, "PROCESSING"]) })).toMatchObject({
      ...left,
      underWay: 250,
    });
    expect(leftToRefund({ amount: 250, refunds: refunds([250, "ABNORMAL"]) })).toMatchObject({ ...left, underWay: 0 });
  });
});
