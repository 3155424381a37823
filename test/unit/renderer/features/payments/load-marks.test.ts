import { expect, it } from "vitest";
import { mark } from "../../../../../renderer/features/payments/list/load-marks.ts";
import type { ListedOrder } from "../../../../../renderer/features/payments/list/order-row.ts";
import type { CloudEvent } from "../../../../../server/contract/console/traffic/stored-event.ts";

const failed = (out_trade_no: string, reason: string, mch_id = "1900000109") =>
  ({ type: "payment.failed", data: { mch_id, out_trade_no, amount: 1, reason } }) as CloudEvent;
const row = (outTradeNo: string, more: object = {}) => ({ outTradeNo, state: "NOTPAY", ...more }) as ListedOrder;

it("An unpaid order on the board is marked with the reason of its latest failed attempt", () => {
  const events = [failed("TWICE_1", "cancel"), failed("TWICE_1", "bank"), failed("PAID_1", "no_funds")];
  const rows = [row("TWICE_1"), row("PAID_1", { state: "SUCCESS" }), row("NEVER_1")];
  expect(mark(rows, { failed: events, undelivered: [] }).map(({ failure }) => failure)).toEqual([
    "cancel",
    undefined,
    undefined,
  ]);
});

it("An order on the board is not marked for another merchant's order of the same number", () => {
  const rows = [row("BOTH_1", { mchId: "1900000109" }), row("BOTH_1", { mchId: "1900000110" })];
  const events = [failed("BOTH_1", "no_funds", "1900000110")];
  expect(mark(rows, { failed: events, undelivered: [] }).map(({ failure }) => failure)).toEqual([
    undefined,
    "no_funds",
  ]);
});

it("A paid order on the board is marked until the receiver of its merchant has accepted the notification", () => {
  const undelivered = [{ mch_id: "1900000109", out_trade_no: "DOWN_1" }];
  const rows = [row("DOWN_1", { mchId: "1900000109", state: "SUCCESS" }), row("DOWN_1", { mchId: "1900000110" })];
  const marked = (marks: typeof undelivered) => mark(rows, { failed: [], undelivered: marks });
  expect(marked(undelivered).map((one) => one.undelivered)).toEqual([true, undefined]);
  expect(marked([]).map((one) => one.undelivered)).toEqual([undefined, undefined]);
});
