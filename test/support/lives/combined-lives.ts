/** Combined orders in lives: their steps, and what must hold of them. */
import { shop } from "./life-accounts.ts";
import type { KnownCombined, KnownOrder, LifeWorld } from "./life-world.ts";
import { callV3, control, notifyUrl, query, refund } from "./merchant.ts";
import { said, withOne, type Kind } from "./step-kinds.ts";
import type { Stored } from "./stored-tables.ts";

const orders = "/v3/combine-transactions";
const withCombined = withOne((world: LifeWorld) => world.combined);

function newCombined(world: LifeWorld, n: number): KnownCombined {
  const number = `COMBINED${String(world.combined.length + 1)}`;
  const own: KnownOrder = {
    ...{ number: `${number}_A`, version: "v3", type: "NATIVE", total: 1 + (n % 9_999), shared: false, partner: false },
    ...{ paidAs: undefined, refunds: new Map() },
  };
  const known = { number, own, other: 1 + (n % 777) };
  world.combined.push(known);
  return known;
}

const partsOf = ({ credentials }: LifeWorld, { number, own, other }: KnownCombined) => [
  { mchid: credentials.mch_id, out_trade_no: own.number, total: own.total },
  { mchid: shop.mchId, out_trade_no: `${number}_B`, total: other },
];

const place = (world: LifeWorld, known: KnownCombined) =>
  callV3(world, "POST", `${orders}/native`, {
    ...{ combine_appid: world.credentials.app_id, combine_mchid: world.credentials.mch_id },
    ...{ combine_out_trade_no: known.number, notify_url: notifyUrl },
    sub_orders: partsOf(world, known).map(({ total, ...part }) => ({
      ...{ ...part, attach: "shop", description: "Tea", amount: { total_amount: total, currency: "CNY" } },
    })),
  });

export const combinedSteps: Readonly<Record<string, Kind>> = {
  combine: { weight: 4, run: async (world, { n }) => said(await place(world, newCombined(world, n))) },
  "combine again": { weight: 1, run: withCombined(async (world, known) => said(await place(world, known))) },
  "pay a combined order": {
    weight: 5,
    run: withCombined(async (world, { number, other }, { n }) => {
      const coupon = n % 3 === 0 ? { coupon_fen: 1 + (n % other) } : {};
      return String((await control(world, "POST", `/orders/${number}/pay`, coupon))?.status);
    }),
  },
  "query a part": { weight: 2, run: withCombined(async (world, { own }) => said(await query(world, own))) },
  "close a combined order": {
    weight: 2,
    run: withCombined(async (world, known) =>
      said(
        await callV3(world, "POST", `${orders}/out-trade-no/${known.number}/close`, {
          combine_appid: world.credentials.app_id,
          sub_orders: partsOf(world, known).map(({ mchid, out_trade_no }) => ({ mchid, out_trade_no })),
        }),
      ),
    ),
  },
  "refund a part": {
    weight: 4,
    run: withCombined(async (world, { own }, { n }) =>
      said(await refund(world, own, `${own.number}R${String(own.refunds.size)}`, 1 + (n % own.total))),
    ),
  },
};

/** The parts are paid and closed together. */
export function checkCombined(world: LifeWorld, { pay_orders }: Stored): void {
  const rows = pay_orders.filter(({ combined }) => combined !== null);
  for (const whole of rows.filter(({ combined }) => combined === 0)) {
    const parts = rows.filter(({ combined }) => combined === whole.id);
    const fen = parts.reduce((sum, { total }) => sum + total, 0);
    if (parts.length !== 2 || fen !== whole.total) world.violate(`the parts of ${whole.out_trade_no} do not add up`);
    for (const part of parts) {
      if ((part.paid_at === null) !== (whole.paid_at === null))
        world.violate(`${part.out_trade_no} is not paid with its combined order`);
      if ((part.trade_state === "CLOSED") !== (whole.trade_state === "CLOSED"))
        world.violate(`${part.out_trade_no} is not closed with its combined order`);
    }
  }
}

/** At the end of a life, each paid combined order has one notification, and its parts have none. */
export function checkCombinedEnd(world: LifeWorld, { pay_orders, pay_notifications }: Stored): void {
  const rows = pay_orders.filter(({ combined, paid_at }) => combined !== null && paid_at !== null);
  const sent = pay_notifications.filter(({ about, state }) => about === "payment" && state !== "unscheduled");
  for (const { out_trade_no: number, combined } of rows) {
    const count = sent.filter(({ out_trade_no }) => out_trade_no === number).length;
    if (count !== (combined === 0 ? 1 : 0)) world.violate(`${number} has ${String(count)} notifications`);
  }
}
