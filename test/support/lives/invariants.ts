/** What must hold after every step of a life, read from the platform's tables. */
import type { LifeWorld } from "./life-world.ts";
import { checkCombined, checkCombinedEnd } from "./combined-lives.ts";
import { checkContracts, checkContractsEnd } from "./contract-lives.ts";
import { checkProducts, checkProductsEnd } from "./product-invariants.ts";
import type { Stored } from "./stored-tables.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Postings of orders and refunds. */
const ofOrders = new Set(["payment", "reversal", "refund", "refund closed"]);

/** The book's own figures: no fen is made or lost. Returns what orders and refunds moved, by account. */
function checkBook(world: LifeWorld, stored: Stored): Map<string, number> {
  const lines = new Map<string, number>();
  const moved = new Map<string, number>();
  for (const row of stored.pay_postings) {
    const own = JSON.parse(row.lines) as [string, number][];
    if (sum(own.map(([, fen]) => fen)) !== 0) world.violate(`the posting ${row.kind} ${row.subject} does not add up`);
    for (const [account, fen] of own) {
      lines.set(account, (lines.get(account) ?? 0) + fen);
      if (ofOrders.has(row.kind)) moved.set(account, (moved.get(account) ?? 0) + fen);
    }
  }
  const accounts = new Map(stored.pay_accounts.map(({ account, fen }) => [account, fen]));
  for (const account of new Set([...lines.keys(), ...accounts.keys()]))
    if ((lines.get(account) ?? 0) !== (accounts.get(account) ?? 0))
      world.violate(`the account ${account} is not the sum of its lines`);
  for (const [account, fen] of accounts)
    if (fen < 0 && /^(?:frozen|receiver):/.test(account)) world.violate(`the account ${account} is overdrawn`);
  return moved;
}

/** The book against the orders and refunds that it books. */
function checkMoney(world: LifeWorld, stored: Stored, moved: ReadonlyMap<string, number>): void {
  const rows = stored.pay_orders;
  for (const order of rows) checkSettled(world, order);
  // A combined order has no money of its own.
  const orders = rows.filter(({ combined }) => combined !== 0);
  const refunds = stored.pay_refunds.filter(({ status }) => status !== "CLOSED");
  const paid = orders.filter((order) => order.paid_at !== null && order.trade_state !== "REVOKED");
  const cashPaid = sum(paid.map(({ total, coupon_fee }) => total - coupon_fee));
  const cashBack = sum(refunds.map(({ refund, coupon_fee }) => refund - coupon_fee));
  const of = (start: string) => sum([...moved].filter(([name]) => name.startsWith(start)).map(([, fen]) => fen));
  const merchants = of("available:") + of("frozen:") + of("fees");
  if (merchants !== cashPaid - cashBack)
    world.violate(`${String(merchants)} fen are booked, not ${String(cashPaid - cashBack)}`);
  const buyers = sum(refunds.map(({ refund }) => refund)) - sum(paid.map(({ total }) => total));
  if (of("buyers") !== buyers) world.violate(`buyers have ${String(of("buyers"))} fen, not ${String(buyers)}`);
  const fees = sum(
    paid.map(({ id, total, coupon_fee }) => {
      const back = sum(refunds.filter(({ order_id }) => order_id === id).map((one) => one.refund - one.coupon_fee));
      return (total - coupon_fee - back) * 0.006;
    }),
  );
  if (Math.abs(of("fees") - fees) > 1 + paid.length + refunds.length)
    world.violate("the fees are not 0.6% of the payments");
  for (const order of orders) {
    const back = sum(refunds.filter(({ order_id }) => order_id === order.id).map(({ refund }) => refund));
    if (order.refunded > order.total) world.violate(`${order.out_trade_no} has returned more than was paid`);
    if (back !== order.refunded) world.violate(`the refunds of ${order.out_trade_no} do not add up`);
  }
}

type OrderRow = Stored["pay_orders"][number];

/** A paid order stays paid, by the same transaction and for the same amount. */
function checkSettled(world: LifeWorld, order: OrderRow): void {
  const fact = `${order.transaction_id ?? ""} ${String(order.total)} ${String(order.coupon_fee)}`;
  const before = world.settled.get(order.id);
  const isPaid = ["SUCCESS", "REFUND", "REVOKED"].includes(order.trade_state);
  if (before !== undefined && (!isPaid || before !== fact))
    world.violate(`${order.out_trade_no} was settled, and has changed`);
  if (order.paid_at !== null) world.settled.set(order.id, fact);
}

/** All orders whose money the merchant knows. */
const ordersOf = ({ orders, combined, deductions }: LifeWorld) => [
  ...orders,
  ...combined.map(({ own }) => own),
  ...deductions.map(({ order }) => order),
];

/** What the merchant was told stays true across crashes. */
function checkPromises(world: LifeWorld, { pay_orders, pay_refunds }: Stored): void {
  const stored = new Map(pay_refunds.map((row) => [row.out_refund_no, row.refund]));
  const paid = new Map(pay_orders.map((row) => [row.out_trade_no, row.transaction_id]));
  const asked = new Set<string>();
  for (const { number, paidAs, refunds } of ordersOf(world)) {
    if (paidAs !== undefined && paid.get(number) !== paidAs) world.violate(`the payment of ${number} was lost`);
    for (const [refund, { fen, accepted }] of refunds) {
      asked.add(refund);
      if (accepted && stored.get(refund) !== fen) world.violate(`the accepted refund ${refund} was lost`);
    }
  }
  for (const refund of stored.keys()) if (!asked.has(refund)) world.violate(`nobody asked for refund ${refund}`);
}

export async function checkInvariants(world: LifeWorld): Promise<void> {
  const stored = await world.stored();
  checkMoney(world, stored, checkBook(world, stored));
  checkPromises(world, stored);
  checkProducts(world, stored);
  checkCombined(world, stored);
  checkContracts(world, stored);
}

/** At the end of a life, each payment by an order that names a receiver was notified. */
export async function checkEnd(world: LifeWorld): Promise<void> {
  const stored = await world.stored();
  for (const { out_trade_no, paid_at, notify_url } of stored.pay_orders)
    if (paid_at !== null && notify_url !== null && !world.receiver.told.has(out_trade_no))
      world.violate(`the payment of ${out_trade_no} was never notified`);
  checkProductsEnd(world, stored);
  checkCombinedEnd(world, stored);
  checkContractsEnd(world, stored);
}
