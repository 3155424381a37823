/** What must hold of the money and the notifications of the products beside payments. */
import { wholeFeeOfCash } from "../../../server/provider/payments/book/fees.ts";
import { ownerOf } from "../../../server/provider/payments/partner/sub-merchant.ts";
import type { LifeWorld } from "./life-world.ts";
import type { Stored } from "./stored-tables.ts";

/** Adds up fen by name. */
class Sums {
  readonly #sums = new Map<string, number>();

  add(name: string, fen: number): void {
    this.#sums.set(name, this.of(name) + fen);
  }

  of(name: string): number {
    return this.#sums.get(name) ?? 0;
  }

  names(): string[] {
    return [...this.#sums.keys()];
  }
}

function productRows(stored: Stored) {
  return {
    // A combined order has no money of its own.
    orders: stored.pay_orders.filter(({ combined }) => combined !== 0),
    refunds: stored.pay_refunds.filter(({ status }) => status !== "CLOSED"),
    shares: stored.pay_shares,
    details: stored.pay_share_details,
    returns: stored.pay_share_returns,
    sharedOrders: stored.pay_share_orders,
    shipments: stored.pay_shipments,
    transfers: stored.pay_transfers,
    postings: stored.pay_postings,
    accounts: stored.pay_accounts,
    complaints: stored.pay_complaints,
  };
}

type All = ReturnType<typeof productRows>;

/** The money of each merchant and receiver, from the tables of the products alone. */
function expectedMoney({ orders, refunds, shares, details, returns, transfers }: All): Sums {
  const money = new Sums();
  const owners = new Map(orders.map((order) => [order.id, ownerOf(order)]));
  for (const order of orders) {
    if (order.paid_at === null || order.trade_state === "REVOKED") continue;
    const back = refunds.filter(({ order_id }) => order_id === order.id);
    const cash = order.total - order.coupon_fee - back.reduce((sum, one) => sum + one.refund - one.coupon_fee, 0);
    // Closed refunds may have been rounded differently.
    money.add(ownerOf(order), cash - wholeFeeOfCash(cash));
  }
  const ownerOfShare = new Map(
    shares.map((share) => [
      share.id,
      owners.get(orders.find(({ transaction_id }) => transaction_id === share.transaction_id)?.id ?? 0) ?? "",
    ]),
  );
  for (const { share_id, account, amount, result } of details) {
    const owner = ownerOfShare.get(share_id) ?? "";
    const isOwn = account === shares.find(({ id }) => id === share_id)?.mch_id;
    if (result !== "SUCCESS" || isOwn) continue;
    money.add(owner, -amount);
    money.add(`receiver:${account}`, amount);
  }
  for (const { share_id, return_mchid, amount } of returns) {
    money.add(ownerOfShare.get(share_id) ?? "", amount);
    money.add(`receiver:${return_mchid}`, -amount);
  }
  for (const { mch_id, state, amount } of transfers) {
    if (state !== "FAIL" && state !== "CANCELLED") money.add(mch_id, -amount);
    if (!["FAIL", "CANCELLED", "SUCCESS"].includes(state)) money.add("platform", amount);
  }
  return money;
}

/** Frozen and available money of each merchant add up to its money; receivers have what they got. */
function checkOwners(world: LifeWorld, all: All): void {
  const expected = expectedMoney(all);
  const booked = new Sums();
  for (const { account, fen } of all.accounts) {
    if (/^(?:available|frozen):/.test(account)) booked.add(account.slice(account.indexOf(":") + 1), fen);
    else if (account === "platform" || account.startsWith("receiver:")) booked.add(account, fen);
  }
  // Fees of refunds that closed in the middle may leave a fen.
  const slack = all.orders.length;
  for (const name of new Set([...expected.names(), ...booked.names()])) {
    const mayDiffer = /^(?:platform$|receiver:)/.test(name) ? 0 : slack;
    if (Math.abs(expected.of(name) - booked.of(name)) > mayDiffer)
      world.violate(`${name} has ${String(booked.of(name))} fen, not ${String(expected.of(name))}`);
  }
}

const frozenIn = (lines: string): number =>
  (JSON.parse(lines) as [string, number][]).reduce(
    (sum, [account, fen]) => (account.startsWith("frozen:") ? sum + fen : sum),
    0,
  );

/** The frozen money of each order covers what was asked for, and is free once nothing holds it. */
function checkFrozen(world: LifeWorld, all: All): void {
  const frozen = new Sums();
  for (const { order_id, lines } of all.postings) frozen.add(String(order_id), frozenIn(lines));
  for (const order of all.orders) {
    const ofOrder = all.shares.filter(({ transaction_id }) => transaction_id === order.transaction_id);
    const parts = all.details.filter(({ share_id }) => ofOrder.some(({ id }) => id === share_id));
    const sum = (result: string) =>
      parts.filter((one) => one.result === result).reduce((fen, one) => fen + one.amount, 0);
    const fen = frozen.of(String(order.id));
    const pending = sum("PENDING");
    if (fen < pending)
      world.violate(`${order.out_trade_no} has ${String(fen)} frozen fen for shares of ${String(pending)}`);
    const cash = order.total - order.coupon_fee;
    if (sum("SUCCESS") + pending > cash - wholeFeeOfCash(cash))
      world.violate(`${order.out_trade_no} has shared more than it has`);
    const isShared = all.sharedOrders.some(({ order_id, due_at }) => order_id === order.id && due_at !== null);
    const shipment = all.shipments.find(({ order_id }) => order_id === order.id);
    const isManaged = shipment?.managed === 1 && shipment.settled_at === null;
    if (!isShared && !isManaged && fen !== pending)
      world.violate(`${order.out_trade_no} keeps ${String(fen - pending)} frozen fen that nothing holds`);
  }
  for (const { amount, returned, account } of all.details)
    if (returned > amount) world.violate(`${account} has returned more than it got`);
}

/** What the merchant was told of shares, transfers and complaints stays true across crashes. */
function checkProductPromises(world: LifeWorld, { shares, transfers, returns, complaints }: All): void {
  for (const { number, id } of world.shares)
    if (id !== undefined && !shares.some((row) => row.out_order_no === number && row.order_id === id))
      world.violate(`the accepted share ${number} was lost`);
  for (const { number, returned } of world.shares)
    for (const [one, fen] of returned)
      if (!returns.some((row) => row.out_return_no === one && row.amount === fen))
        world.violate(`the accepted return ${one} of ${number} was lost`);
  for (const { number, id, fen } of world.transfers) {
    const row = transfers.find((stored) => stored.out_bill_no === number);
    if (id !== undefined && (row?.transfer_bill_no !== id || row.amount !== fen))
      world.violate(`the accepted transfer ${number} was lost`);
  }
  for (const id of world.complaints)
    if (!complaints.some(({ complaint_id }) => complaint_id === id)) world.violate(`the complaint ${id} was lost`);
}

export function checkProducts(world: LifeWorld, stored: Stored): void {
  const all = productRows(stored);
  checkOwners(world, all);
  checkFrozen(world, all);
  checkProductPromises(world, all);
}

/** At the end of a life, all has ended and was notified. */
export function checkProductsEnd(world: LifeWorld, stored: Stored): void {
  const { shares, details, returns, transfers, shipments, orders } = productRows(stored);
  const { told } = world.receiver;
  const need = (what: string) => {
    if (!told.has(what)) world.violate(`the ${what} was never notified`);
  };
  for (const { out_order_no, state, id } of shares) {
    if (state !== "FINISHED") world.violate(`the share ${out_order_no} has not ended`);
    const parts = details.filter(({ share_id, result }) => share_id === id && result === "SUCCESS");
    for (const { account, type } of parts)
      if (type === "MERCHANT_ID" && account !== world.credentials.mch_id) need(`share ${out_order_no}`);
  }
  for (const { out_return_no } of returns) need(`return ${out_return_no}`);
  for (const { out_bill_no, state } of transfers) {
    if (!["SUCCESS", "FAIL", "CANCELLED"].includes(state)) world.violate(`the transfer ${out_bill_no} has not ended`);
    need(`transfer ${out_bill_no}`);
  }
  for (const id of world.complaints) need(`complaint ${id}`);
  for (const { order_id, shipped_at, settled_at } of shipments) {
    const order = orders.find(({ id }) => id === order_id);
    if (order && shipped_at !== null && settled_at === null && order.refunded < order.total)
      world.violate(`${order.out_trade_no} was shipped, and its money has not come`);
  }
}
