/** Contracts and their deductions in lives: their steps, and what must hold of them. */
import { callV3, control, openid, query, refund } from "./merchant.ts";
import { crashState } from "./crashing-disk.ts";
import type { KnownDeduction, KnownOrder, LifeWorld } from "./life-world.ts";
import { passTime } from "./simulated-process.ts";
import { said, withOne, type Kind } from "./step-kinds.ts";
import type { Stored } from "./stored-tables.ts";

const planId = 12_535;
const address = "http://127.0.0.1:9/contracts";
/** The longest that a deduction waits for its result. */
const deductionMs = 2 * 86_400_000;
const withContract = withOne((world: LifeWorld) => world.contracts);
const withDeduction = withOne((world: LifeWorld) => world.deductions);

const ask = (world: LifeWorld, code: string) =>
  callV3(world, "POST", "/v3/papay/scheduled-deduct-sign/contracts/pre-entrust-sign/jsapi", {
    ...{ appid: world.credentials.app_id, plan_id: planId, out_contract_code: code, openid },
    ...{ contract_display_account: "Ada", out_user_code: "ada", contract_notify_url: address },
  });

/** The platform's number of a contract; undefined also while no process runs. */
async function idOf(world: LifeWorld, code: string): Promise<string | undefined> {
  if (crashState.isDead()) return undefined;
  const rows = world.db.selectFrom("pay_contracts").select("contract_id").where("out_contract_code", "=", code);
  return (await rows.executeTakeFirst())?.contract_id;
}

async function act(world: LifeWorld, code: string, what: string, body: object): Promise<string> {
  const id = await idOf(world, code);
  if (id === undefined) return "no contract";
  return String((await control(world, "POST", `/contracts/${id}/${what}`, body))?.status ?? "no answer");
}

async function deduct(world: LifeWorld, known: KnownDeduction): Promise<string> {
  const contract_id = await idOf(world, known.contract);
  if (contract_id === undefined) return "no contract";
  const outcome = await callV3(world, "POST", "/v3/papay/pay/transactions/apply", {
    ...{ appid: world.credentials.app_id, contract_id, out_trade_no: known.order.number, description: "VIP" },
    ...{ amount: { total: known.order.total, currency: "CNY" }, transaction_notify_url: address },
  });
  if (outcome?.code === "SUCCESS") known.accepted = true;
  return said(outcome);
}

function newDeduction(world: LifeWorld, contract: string, n: number): KnownDeduction {
  const number = `DEDUCTION${String(world.deductions.length + 1)}`;
  const order: KnownOrder = {
    ...{ number, version: "v3", type: "NATIVE", total: 1 + (n % 9_999), shared: false, partner: false },
    ...{ paidAs: undefined, refunds: new Map() },
  };
  const known = { order, contract, accepted: false };
  world.deductions.push(known);
  return known;
}

async function signOne(world: LifeWorld): Promise<string> {
  const code = `CONTRACT${String(world.contracts.length + 1)}`;
  world.contracts.push(code);
  const asked = said(await ask(world, code));
  return `${asked} ${await act(world, code, "sign", {})}`;
}

const deductOne = withContract((world, code, { n }) => deduct(world, newDeduction(world, code, n)));

export const contractSteps: Readonly<Record<string, Kind>> = {
  "sign a contract": {
    weight: 3,
    run: signOne,
  },
  deduct: {
    weight: 5,
    run: async (world, step) => {
      const signed = world.contracts.length === 0 ? `${await signOne(world)} ` : "";
      return signed + ((await deductOne(world, step)) ?? "-");
    },
  },
  "deduct again": { weight: 1, run: withDeduction(deduct) },
  "refuse the next deduction": {
    weight: 2,
    run: withContract((world, code) => act(world, code, "fail-next", { reason: "no_funds" })),
  },
  "end a contract": { weight: 1, run: withContract((world, code) => act(world, code, "terminate", {})) },
  "refund a deduction": {
    weight: 3,
    run: withDeduction(async (world, { order, accepted }, { n }) => {
      if (accepted && order.paidAs === undefined) await passTime(deductionMs);
      await query(world, order);
      return said(await refund(world, order, `${order.number}R${String(order.refunds.size)}`, 1 + (n % order.total)));
    }),
  },
};

/** Money is only deducted while its contract is in force. */
export function checkContracts(world: LifeWorld, { pay_contracts: contracts, pay_orders }: Stored): void {
  const orders = pay_orders.filter(({ trade_type }) => trade_type === "PAP");
  for (const { out_trade_no, paid_at } of orders) {
    const code = world.deductions.find(({ order }) => order.number === out_trade_no)?.contract;
    const contract = contracts.find(({ out_contract_code }) => out_contract_code === code);
    if (!contract) world.violate(`nobody asked for ${out_trade_no}`);
    if (!contract || paid_at === null) continue;
    const { signed_at, terminated_at } = contract;
    if (signed_at === null || signed_at > paid_at || (terminated_at !== null && terminated_at < paid_at))
      world.violate(`${out_trade_no} was deducted without a contract in force`);
  }
  for (const { order, accepted } of world.deductions)
    if (accepted && !orders.some(({ out_trade_no }) => out_trade_no === order.number))
      world.violate(`the accepted deduction ${order.number} was lost`);
}

/** At the end of a life, each accepted deduction has a result, and contracts and failures were notified. */
export function checkContractsEnd(world: LifeWorld, { pay_contracts: contracts, pay_orders }: Stored): void {
  const orders = pay_orders.filter(({ trade_type }) => trade_type === "PAP");
  const need = (what: string) => {
    if (!world.receiver.told.has(what)) world.violate(`the ${what} was never notified`);
  };
  for (const { out_contract_code: code, signed_at, state } of contracts) {
    if (signed_at !== null) need(`signature of ${code}`);
    if (state === "TERMINATED") need(`end of ${code}`);
  }
  for (const { out_trade_no: number, trade_state } of orders) {
    if (trade_state === "PAYERROR") need(`failure of ${number}`);
    const isAccepted = world.deductions.some(({ order, accepted }) => accepted && order.number === number);
    if (isAccepted && !["SUCCESS", "REFUND", "PAYERROR"].includes(trade_state))
      world.violate(`the deduction ${number} has no result`);
  }
}
