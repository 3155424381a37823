/** Marks orders whose latest attempt to pay has failed, by the events of it, and those whose receiver was not reached. */
import { listEvents } from "../../../../server/contract/console/traffic/event-endpoints.ts";
import type { CloudEvent } from "../../../../server/contract/console/traffic/stored-event.ts";
import { listSimUndelivered } from "../../../../server/contract/provider/sim-operations.ts";
import { failedPaymentSchema, type TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { Call } from "../../../api/http/call.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
import type { ListedOrder } from "./order-row.ts";

interface NamedOrder {
  readonly mch_id: string;
  readonly out_trade_no: string;
}

export interface OrderMarks {
  /** Events `payment.failed`, the newest first. */
  readonly failed: readonly CloudEvent[];
  readonly undelivered: readonly NamedOrder[];
}

/** @param number only the failed attempts at this order */
export async function loadMarks(call: Call, number?: string, signal?: AbortSignal): Promise<OrderMarks> {
  const [failed, undelivered] = await Promise.all([
    call(listEvents, { query: { type: "payment.failed", subject: number, limit: 500 }, signal }),
    call(listSimUndelivered, { signal }).catch((error: unknown) => {
      // The list of orders must not fail with the simulator.
      if (error instanceof ConsoleError) return { orders: [] };
      throw error;
    }),
  ]);
  return { failed: failed.events, undelivered: undelivered.orders };
}

const unpaid: readonly TradeState[] = ["NOTPAY", "USERPAYING", "PAYERROR"];

export function mark(rows: readonly ListedOrder[], { failed, undelivered }: OrderMarks): readonly ListedOrder[] {
  const attempts = failed.flatMap(({ data }) => failedPaymentSchema.safeParse(data).data ?? []);
  const attemptsAt = Map.groupBy(attempts, numberOf);
  const undeliveredAt = Map.groupBy(undelivered, numberOf);
  return rows.map((row) => {
    const isOfRow = ({ mch_id }: NamedOrder) => mch_id === (row.mchId ?? mch_id);
    const attempt = unpaid.includes(row.state) ? attemptsAt.get(row.outTradeNo)?.find(isOfRow) : undefined;
    const isUndelivered = undeliveredAt.get(row.outTradeNo)?.some(isOfRow) ?? false;
    return {
      ...row,
      ...(attempt && { failure: attempt.reason }),
      ...(isUndelivered && { undelivered: true }),
    };
  });
}

const numberOf = ({ out_trade_no }: NamedOrder) => out_trade_no;
