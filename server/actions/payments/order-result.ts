/** An order as actions show it: what the platform knows of it, and what Hearth's own server has made of that. */
import { z } from "zod";
import { listStoredOrders } from "../../contract/console/stored-order-endpoints.ts";
import { paymentFailure, refundStatus, tradeState, tradeType } from "../../contract/provider/payment-terms.ts";
import { getSimOrder, listSimOrders } from "../../contract/provider/sim-operations.ts";
import type { SimOrder } from "../../contract/provider/sim-orders.ts";
import { ActionError } from "../action-error.ts";
import { alignColumns, yuan } from "../text-columns.ts";
import type { HearthApi } from "../hearth-api.ts";

export const orderResultSchema = z.object({
  out_trade_no: z.string().describe("The merchant's number."),
  mch_id: z.string().describe("The merchant."),
  trade_state: tradeState.describe("The state at the platform."),
  trade_type: tradeType,
  amount: z.int().describe("In fen."),
  description: z.string(),
  transaction_id: z.string().optional().describe("The platform's number of the payment."),
  pay_page: z.string().optional().describe("Address of the payment page for a browser."),
  failed_attempts: z.array(paymentFailure).describe("Reasons of the failed payment attempts, oldest first."),
  refunds: z.array(z.object({ out_refund_no: z.string(), amount: z.int().describe("In fen."), status: refundStatus })),
  server: z
    .object({
      id: z.int(),
      owner_uid: z.string(),
      trade_state: tradeState.describe("The last state that the server received."),
      settled: z.boolean().describe("The server accepted the payment as final."),
    })
    .optional()
    .describe("The order at Hearth's own application server; absent if another server placed it."),
});
export type OrderResult = z.infer<typeof orderResultSchema>;

const shownOrders = 5;

/** @throws ActionError that lists the newest orders */
async function refuseUnknown(hearth: HearthApi, text: string): Promise<never> {
  const { orders } = await hearth.call(listSimOrders, { query: { limit: String(shownOrders) } });
  const newest = orders.map(({ out_trade_no, trade_state }) => `${out_trade_no} (${trade_state})`).join(", ");
  const hint = newest === "" ? "No orders yet. Place one with `hearth order`." : `The newest are ${newest}.`;
  throw new ActionError(`Order ${text} does not exist. ${hint}`);
}

/** The number that the platform knows of an order of Hearth's own server. */
async function numberOfOwn(hearth: HearthApi, id: string): Promise<string | undefined> {
  const before = String(Number(id) + 1);
  const { orders } = await hearth.call(listStoredOrders, { query: { before, limit: "1" } });
  return orders.find((order) => String(order.id) === id)?.out_trade_no;
}

/** Arguments that name the newest order. */
const newestName = "last";

/**
 * Finds an order by its id at Hearth's own server, by its number, by the beginning of its number, or as `last`.
 * @throws ActionError when there is none, or several
 */
export async function findOrder(hearth: HearthApi, text: string): Promise<SimOrder> {
  const number = (/^\d{1,9}$/.test(text) ? await numberOfOwn(hearth, text) : undefined) ?? text;
  const isNewest = text === newestName;
  const { orders } = await hearth.call(listSimOrders, { query: isNewest ? { limit: "1" } : { q: number } });
  if (isNewest && orders[0]) return orders[0];
  const exact = orders.filter(({ out_trade_no, transaction_id }) => [out_trade_no, transaction_id].includes(number));
  const found = exact.length > 0 ? exact : orders.filter(({ out_trade_no }) => out_trade_no.startsWith(number));
  const [order, ...others] = found;
  if (order === undefined) return refuseUnknown(hearth, text);
  if (others.length === 0) return order;
  const names = found.map(({ out_trade_no, mch_id }) => `${out_trade_no} of merchant ${mch_id}`);
  throw new ActionError(`Order ${text} is ambiguous: ${names.join(", ")}.`);
}

/** The parameters by which the simulator's operations name an order. */
export const atPlatform = ({ out_trade_no, mch_id }: Pick<SimOrder, "out_trade_no" | "mch_id">) => ({
  params: { out_trade_no },
  query: { mch_id },
});

/** The order at Hearth's own server. */
export async function findOwn(hearth: HearthApi, out_trade_no: string) {
  const { orders } = await hearth.call(listStoredOrders, { query: { out_trade_no } });
  return orders[0];
}

export async function readOrder(
  hearth: HearthApi,
  named: Pick<SimOrder, "out_trade_no" | "mch_id">,
): Promise<OrderResult> {
  const [{ order, attempts, refunds }, own] = await Promise.all([
    hearth.call(getSimOrder, atPlatform(named)),
    findOwn(hearth, named.out_trade_no),
  ]);
  return orderResultSchema.parse({
    ...order,
    amount: order.total,
    failed_attempts: attempts.map(({ reason }) => reason),
    refunds: refunds.map(({ out_refund_no, refund, status }) => ({ out_refund_no, amount: refund, status })),
    server: own && { ...own, settled: own.settled_at !== undefined },
  });
}

export function printOrder(order: OrderResult): string {
  const { server } = order;
  const rows = [
    ["order", order.out_trade_no + (server ? ` (${String(server.id)})` : "")],
    ["state", order.trade_state],
    ["amount", `${yuan(order.amount)}  ${order.description}`],
    ...order.failed_attempts.slice(-1).map((reason) => ["failed", reason]),
    ...order.refunds.map(({ amount, status, out_refund_no }) => [
      "refund",
      `${yuan(amount)}  ${status}  ${out_refund_no}`,
    ]),
    ...(order.pay_page === undefined || order.trade_state !== "NOTPAY" ? [] : [["pay page", order.pay_page]]),
    ...(server === undefined ? [] : [["server", server.trade_state + (server.settled ? ", settled" : "")]]),
  ];
  return alignColumns(rows);
}
