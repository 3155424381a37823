/** Marks orders whose latest attempt to pay has failed, by the events of it. */
import { listEvents } from "../../../../server/contract/console/console-endpoints.ts";
import { eventSchemas, type CloudEvent } from "../../../../server/contract/console/traffic/events.ts";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { Call } from "../../../api/http/call.ts";
import type { ListedOrder } from "./order-row.ts";

/** The latest, newest first: of all orders, or of those with one number. */
export const loadFailedAttempts = async (
  call: Call,
  number?: string,
  signal?: AbortSignal,
): Promise<readonly CloudEvent[]> =>
  (await call(listEvents, { query: { type: "payment.failed", subject: number, limit: 500 }, signal })).events;

const unpaid: readonly TradeState[] = ["NOTPAY", "USERPAYING", "PAYERROR"];

/** @param events the newest first */
export function markFailed(rows: readonly ListedOrder[], events: readonly CloudEvent[]): readonly ListedOrder[] {
  const attempts = events.flatMap(({ data }) => eventSchemas["payment.failed"].safeParse(data).data ?? []);
  const byNumber = Map.groupBy(attempts, ({ out_trade_no }) => out_trade_no);
  return rows.map((row) => {
    const ofOrder = byNumber.get(row.outTradeNo)?.find(({ mch_id }) => mch_id === (row.mchId ?? mch_id));
    return ofOrder && unpaid.includes(row.state) ? { ...row, failure: ofOrder.reason } : row;
  });
}
