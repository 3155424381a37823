/** The steps of lives with the products beside payments. */
import { shop } from "./life-accounts.ts";
import type { KnownOrder, LifeWorld } from "./life-world.ts";
import { control, query } from "./merchant.ts";
import {
  balanceInBill,
  cancelTransfer,
  complain,
  newShare,
  replyTo,
  returnShare,
  share,
  ship,
  transfer,
  unfreeze,
} from "./product-calls.ts";
import { said, withOne, withOrder, type Kind } from "./step-kinds.ts";

const status = (answer: { readonly status: number } | undefined) => String(answer?.status ?? "no answer");

const withShare = withOne((world: LifeWorld) => world.shares.filter(({ id }) => id !== undefined));
const withJsapi = withOne((world: LifeWorld) => world.orders.filter(({ type }) => type === "JSAPI"));
const withTransfer = withOne((world: LifeWorld) => world.transfers);
const withComplaint = withOne((world: LifeWorld) => world.complaints);
const withSharedOrder = withOne((world: LifeWorld) => world.orders.filter(({ shared }) => shared));

/** The merchant's bill ends with the money that the book has in its accounts. */
async function checkBill(world: LifeWorld): Promise<string> {
  const balance = await balanceInBill(world);
  if (balance === undefined) return "no bill";
  const owner = world.credentials.mch_id;
  const rows = await world.db
    .selectFrom("pay_accounts")
    .select("fen")
    .where("account", "in", [`available:${owner}`, `frozen:${owner}`])
    .execute();
  const fen = rows.reduce((sum, row) => sum + row.fen, 0);
  if (fen !== balance) world.violate(`the bill ends with ${String(balance)} fen, the book with ${String(fen)}`);
  return String(balance);
}

async function payAndQuery(world: LifeWorld, order: KnownOrder): Promise<void> {
  await control(world, "POST", `/orders/${order.number}/pay`, {});
  await query(world, order);
}

const transferFailures = ["NAME_NOT_CORRECT", "ACCOUNT_FROZEN"];

export const productSteps: Readonly<Record<string, Kind>> = {
  share: {
    weight: 7,
    run: withSharedOrder(async (world, order, { n }) => {
      if (order.paidAs === undefined) await payAndQuery(world, order);
      return said(await share(world, newShare(world, order, n)));
    }),
  },
  "share again": {
    weight: 1,
    run: withOne((world) => world.shares)(async (world, known) => said(await share(world, known))),
  },
  unfreeze: {
    weight: 2,
    run: withSharedOrder(async (world, order, { n }) => {
      if (order.paidAs === undefined) await payAndQuery(world, order);
      return said(await unfreeze(world, order, `FREE${String(n)}`));
    }),
  },
  "finish a share": {
    weight: 3,
    run: withShare(async (world, { id }, { n }) => {
      const failures = n % 3 === 0 ? [{ account: shop.mchId, reason: "ACCOUNT_ABNORMAL" }] : [];
      return id && status(await control(world, "POST", `/shares/${id}/finish`, { failures }));
    }),
  },
  "return a share": {
    weight: 3,
    run: withShare(async (world, known, { n }) =>
      said(await returnShare(world, known, 1 + (n % Math.max(1, Math.ceil(known.fen / 2))))),
    ),
  },
  transfer: {
    weight: 4,
    run: async (world, { n }) => {
      const known = { number: `T${String(world.transfers.length + 1)}`, fen: 10 + (n % 99_999), id: undefined };
      world.transfers.push(known);
      return said(await transfer(world, known));
    },
  },
  "transfer again": { weight: 1, run: withTransfer(async (world, known) => said(await transfer(world, known))) },
  "confirm a transfer": {
    weight: 3,
    run: withTransfer(
      async (world, { id }) => id && status(await control(world, "POST", `/transfers/${id}/confirm`, {})),
    ),
  },
  "cancel a transfer": {
    weight: 1,
    run: withTransfer(async (world, known) => said(await cancelTransfer(world, known))),
  },
  "fail a transfer": {
    weight: 1,
    run: withTransfer(async (world, { id }, { n }) => {
      const reason = transferFailures[n % transferFailures.length];
      return id && status(await control(world, "POST", `/transfers/${id}/fail`, { reason }));
    }),
  },
  "manage shipping": {
    weight: 1,
    run: async (world, { n }) => status(await control(world, "PATCH", "/trade-management", { managed: n % 3 > 0 })),
  },
  ship: {
    weight: 4,
    run: withJsapi(async (world, order, { n }) => {
      if (order.paidAs === undefined) await payAndQuery(world, order);
      return ship(world, order, n % 2 === 0);
    }),
  },
  "receive goods": {
    weight: 2,
    run: withJsapi(async (world, { number }) =>
      status(await control(world, "POST", `/orders/${number}/confirm-receipt`, {})),
    ),
  },
  complain: { weight: 2, run: withOrder(complain) },
  "answer a complaint": {
    weight: 2,
    run: withComplaint(async (world, id, { n }) => said(await replyTo(world, id, n % 3 === 0))),
  },
  "read the bill": { weight: 2, run: checkBill },
};
