/** Whether notifications of the products beside payments tell the truth when they arrive. */
import type { Kysely } from "kysely";
import type { ProviderTables } from "../../../server/provider/provider-tables.ts";

export interface OpenedNotice {
  readonly event: string;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Report {
  note(line: string): void;
  violate(what: string): void;
}

type Tables = Kysely<ProviderTables>;

async function isTrueShare({ content }: OpenedNotice, db: Tables): Promise<boolean> {
  const { account, amount } = content["receiver"] as { account: string; amount: number };
  const row = await db
    .selectFrom("pay_share_details")
    .innerJoin("pay_shares", "pay_shares.id", "share_id")
    .select("result")
    .where("order_id", "=", String(content["order_id"]))
    .where("transaction_id", "=", String(content["transaction_id"]))
    .where("account", "=", account)
    .where("amount", "=", amount)
    .executeTakeFirst();
  return row?.result === "SUCCESS";
}

async function isTrueReturn({ content }: OpenedNotice, db: Tables): Promise<boolean> {
  const { account, amount } = content["receiver"] as { account: string; amount: number };
  const returns = db.selectFrom("pay_share_returns").select("id").where("return_id", "=", String(content["order_id"]));
  const row = await returns.where("return_mchid", "=", account).where("amount", "=", amount).executeTakeFirst();
  return row !== undefined;
}

async function isTrueTransfer({ content }: OpenedNotice, db: Tables): Promise<boolean> {
  const transfers = db.selectFrom("pay_transfers").select(["state", "amount"]);
  const row = await transfers.where("transfer_bill_no", "=", String(content["transfer_bill_no"])).executeTakeFirst();
  return row?.state === content["state"] && row?.amount === content["transfer_amount"];
}

async function isTrueComplaint({ content }: OpenedNotice, db: Tables): Promise<boolean> {
  const id = String(content["complaint_id"]);
  const logs = db.selectFrom("pay_complaint_logs").select("type").where("complaint_id", "=", id);
  const action = String(content["action_type"]);
  const types = (await logs.execute()).map(({ type }) => type);
  return types.some((type) => type === action || type === `USER_${action}_SYSTEM_MESSAGE`);
}

const orderOf = (db: Tables, number: unknown) =>
  db.selectFrom("pay_orders").selectAll().where("out_trade_no", "=", String(number)).executeTakeFirst();

async function isTrueCombined({ content }: OpenedNotice, db: Tables): Promise<boolean> {
  const row = await orderOf(db, content["combine_out_trade_no"]);
  const parts = content["sub_orders"] as { amount: { total_amount: number } }[];
  const fen = parts.reduce((sum, { amount }) => sum + amount.total_amount, 0);
  return row?.paid_at !== null && row?.transaction_id === content["combine_transaction_id"] && row?.total === fen;
}

const isTrueFailure = async ({ content }: OpenedNotice, db: Tables): Promise<boolean> =>
  (await orderOf(db, content["out_trade_no"]))?.trade_state === "PAYERROR";

async function isTrueContract({ event, content }: OpenedNotice, db: Tables): Promise<boolean> {
  const contracts = db.selectFrom("pay_contracts").selectAll();
  const row = await contracts.where("contract_id", "=", String(content["contract_id"])).executeTakeFirst();
  return row !== undefined && row.signed_at !== null && (event === "ENTRUST.SIGN" || row.state === "TERMINATED");
}

const kinds: readonly {
  readonly start: string;
  /** A member that only this kind has. */
  readonly with?: string;
  readonly name: (content: OpenedNotice["content"]) => string;
  readonly isTrue: (notice: OpenedNotice, db: Tables) => Promise<boolean>;
}[] = [
  {
    start: "PROFITSHARING.SUCCESS",
    name: (content) => `share ${String(content["out_order_no"])}`,
    isTrue: isTrueShare,
  },
  {
    start: "PROFITSHARING.RETURN",
    name: (content) => `return ${String(content["out_order_no"])}`,
    isTrue: isTrueReturn,
  },
  {
    start: "MCHTRANSFER.",
    name: (content) => `transfer ${String(content["out_bill_no"])}`,
    isTrue: isTrueTransfer,
  },
  {
    start: "COMPLAINT.",
    name: (content) => `complaint ${String(content["complaint_id"])}`,
    isTrue: isTrueComplaint,
  },
  {
    start: "TRANSACTION.SUCCESS",
    with: "combine_out_trade_no",
    name: (content) => String(content["combine_out_trade_no"]),
    isTrue: isTrueCombined,
  },
  {
    start: "TRANSACTION.FAIL",
    name: (content) => `failure of ${String(content["out_trade_no"])}`,
    isTrue: isTrueFailure,
  },
  {
    start: "ENTRUST.SIGN",
    name: (content) => `signature of ${String(content["out_contract_code"])}`,
    isTrue: isTrueContract,
  },
  {
    start: "ENTRUST.TERMINATE",
    name: (content) => `end of ${String(content["out_contract_code"])}`,
    isTrue: isTrueContract,
  },
];

/** @returns the name of what it is about; undefined for an order or a refund */
export async function checkNotice(world: Report, notice: OpenedNotice, db: Tables): Promise<string | undefined> {
  const kind = kinds.find(
    (one) => notice.event.startsWith(one.start) && (one.with === undefined || one.with in notice.content),
  );
  if (!kind) return undefined;
  const name = kind.name(notice.content);
  world.note(`notification: ${notice.event} ${name}`);
  if (!(await kind.isTrue(notice, db))) world.violate(`a notification of ${name} was not true`);
  return name;
}
