/** The steps of lives. A product adds its rows to the table. */
import { cancelCrash, crashAfter } from "./crashing-disk.ts";
import type { KnownOrder, LifeWorld } from "./life-world.ts";
import { close, control, place, query, refund, reverse } from "./merchant.ts";
import type { Random } from "./random.ts";
import { combinedSteps } from "./combined-lives.ts";
import { contractSteps } from "./contract-lives.ts";
import { productSteps } from "./product-steps.ts";
import { passTime } from "./simulated-process.ts";
import { said, withOrder, type Kind, type Step } from "./step-kinds.ts";

const types = ["JSAPI", "NATIVE", "MICROPAY"] as const;
const waits = [1_000, 20_000, 60_000, 3_600_000, 86_400_000, 10 * 86_400_000];

function newOrder(world: LifeWorld, n: number): KnownOrder {
  const version = n % 5 === 4 ? "alipay" : n % 2 === 0 ? "v3" : "v2";
  const type = version === "v3" ? (n % 4 === 0 ? "JSAPI" : "NATIVE") : types[n % 3];
  const number = `LIFE${String(world.orders.length + 1).padStart(8, "0")}`;
  const order = {
    number,
    version,
    type: type ?? "JSAPI",
    total: 1 + (n % 99_999),
    shared: n % 5 < 2,
    partner: version === "v3" && n % 7 < 4,
    paidAs: undefined,
    refunds: new Map(),
  } as const;
  world.orders.push({ ...order });
  return world.orders.at(-1) as KnownOrder;
}

const faults = [
  { kind: "notification_lost", params: {}, times: 1 },
  { kind: "notification_duplicate", params: {}, times: 1 },
  { kind: "refund_outcome", params: { status: "CLOSED" }, times: 1 },
  { kind: "refund_outcome", params: { status: "ABNORMAL", after_seconds: 30 }, times: 1 },
  { kind: "no_answer", params: {}, times: 1 },
  { kind: "http_status", params: { status: 500 }, times: 1 },
];

const stepKinds: Readonly<Record<string, Kind>> = {
  ...productSteps,
  ...combinedSteps,
  ...contractSteps,
  place: { weight: 10, run: async (world, { n }) => said(await place(world, newOrder(world, n))) },
  "place again": { weight: 2, run: withOrder(async (world, order) => said(await place(world, order))) },
  pay: {
    weight: 12,
    run: withOrder(async (world, { number, total }, { n }) => {
      const coupon = n % 3 === 0 && total > 1 ? { coupon_fen: n % total } : {};
      const answer = await control(world, "POST", `/orders/${number}/pay`, coupon);
      return String(answer?.status ?? "no answer");
    }),
  },
  "fail to pay": {
    weight: 1,
    run: withOrder(async (world, { number }) =>
      String((await control(world, "POST", `/orders/${number}/fail`, { how: "bank" }))?.status),
    ),
  },
  query: { weight: 5, run: withOrder(async (world, order) => said(await query(world, order))) },
  close: { weight: 2, run: withOrder(async (world, order) => said(await close(world, order))) },
  reverse: { weight: 2, run: withOrder(async (world, order) => said(await reverse(world, order))) },
  refund: {
    weight: 8,
    run: withOrder(async (world, order, { n }) => {
      const number = `${order.number}R${String(order.refunds.size)}`;
      return said(await refund(world, order, number, 1 + (n % order.total)));
    }),
  },
  "refund again": {
    weight: 3,
    run: withOrder(async (world, order, { n }) => {
      const [number, asked] = [...order.refunds][n % Math.max(1, order.refunds.size)] ?? [];
      return number === undefined ? undefined : said(await refund(world, order, number, asked?.fen ?? 1));
    }),
  },
  "pay and close at once": {
    weight: 2,
    run: withOrder(async (world, order, { n }) => {
      const both = [
        () => close(world, order).then(said),
        () => control(world, "POST", `/orders/${order.number}/pay`, {}).then((one) => String(one?.status)),
      ];
      return (await Promise.all((n % 2 ? both : both.toReversed()).map((one) => one()))).join(", ");
    }),
  },
  fault: {
    weight: 2,
    run: async (world, { n }) => String((await control(world, "POST", "/faults", faults[n % faults.length]))?.status),
  },
  wait: {
    weight: 6,
    run: async (_world, { n }) => {
      await passTime(waits[n % waits.length] ?? 0);
      return "";
    },
  },
  /** Power is lost during one of the next steps. */
  crash: {
    weight: 3,
    run: async (_world, { n }) => {
      crashAfter(n % 40);
      return `after ${String(n % 40)} statements`;
    },
  },
  restart: {
    weight: 1,
    run: async (world) => {
      await world.restart();
      return "";
    },
  },
};

const drawn = Object.entries(stepKinds).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));

export const drawSteps = (random: Random, count: number): Step[] =>
  Array.from({ length: count }, () => ({ do: random.pick(drawn), of: random.below(8), n: random.below(1_000_000) }));

export async function runStep(world: LifeWorld, step: Step): Promise<void> {
  const kind = stepKinds[step.do];
  if (!kind) throw new Error(`there is no step ${step.do}`);
  const result = await kind.run(world, step);
  world.note(`${step.do} ${String(step.of)} ${String(step.n)}: ${result ?? "-"}`);
  await world.restartIfDead();
}

/** The last steps of every life: no crash, and enough time for all notifications. */
export async function runToEnd(world: LifeWorld): Promise<void> {
  cancelCrash();
  await control(world, "DELETE", "/faults");
  await passTime(40 * 86_400_000);
}
