import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import {
  contractState,
  deductionFailure,
  outContractCode,
  planId,
  planMode,
  scheduleState,
  terminationMode,
} from "../../../contract/provider/papay/contract-terms.ts";
import { outTradeNo, payVersion, signType } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { boundedText, storedAsker, storedMchId, storedTime } from "../stored-values.ts";

const time = column.optional(column.integer(storedTime));
const money = column.optional(column.integer(z.int().positive()));
const openid = column.optional(column.text(z.string().max(128)));

/** Contracts of users with merchants. Times are Unix ms, money is fen. */
export const payContracts = {
  id: column.id,
  mch_id: column.text(storedMchId),
  app_id: column.text(z.string().max(32)),
  sub_mch_id: column.optional(column.text(storedMchId)),
  sub_app_id: column.optional(column.text(z.string().max(32))),
  plan_id: column.integer(planId),
  out_contract_code: column.text(outContractCode),
  contract_id: column.text(z.string().max(32), (c) => c.unique()),
  /** Names the contract on the page on which its user signs. */
  pre_sign_id: column.text(z.string().max(64), (c) => c.unique()),
  request_serial: column.optional(column.text(z.string().max(20))),
  display_account: column.text(boundedText),
  out_user_code: column.optional(column.text(boundedText)),
  openid,
  sub_openid: openid,
  version: column.text(payVersion),
  sign_type: column.text(signType),
  notify_url: column.text(boundedText),
  notify_from: column.optional(column.text(storedAsker)),
  /** Where the page returns to. */
  return_url: column.optional(column.text(boundedText)),
  /** The order whose payment signs it. */
  out_trade_no: column.optional(column.text(outTradeNo)),
  state: column.text(contractState),
  created_at: column.integer(storedTime),
  signed_at: time,
  expires_at: time,
  terminated_at: time,
  termination_mode: column.optional(column.text(terminationMode)),
  termination_remark: column.optional(column.text(boundedText)),
  /** The day of its only deduction, `yyyy-MM-dd`, with the amount; null: it has no such day. */
  deduct_day: column.optional(column.text(z.string().max(10))),
  deduct_fen: money,
  schedule_state: column.optional(column.text(scheduleState)),
  scheduled_fen: money,
  deducted_fen: money,
  deducted_at: time,
  /** The days on which the announced deduction is allowed, and its highest amount. */
  announced_from: time,
  announced_until: time,
  announced_fen: money,
  next_failure: column.optional(column.text(deductionFailure)),
  /** When it ends by itself. */
  due_at: time,
};
export type ContractRow = Selectable<TableOf<typeof payContracts>>;
export type NewContract = Insertable<TableOf<typeof payContracts>>;

/** Deductions that were accepted and have no result. */
export const payDeductions = {
  id: column.id,
  contract: column.integer(z.int().positive()),
  mch_id: column.text(storedMchId),
  out_trade_no: column.text(outTradeNo),
  created_at: column.integer(storedTime),
  due_at: column.integer(storedTime),
};

/** How the contracts of a plan work. */
export const payPlans = {
  plan_id: column.integer(planId, (c) => c.primaryKey()),
  mode: column.text(planMode),
  terminated_url: column.optional(column.text(boundedText)),
  valid_days: column.integer(z.int().positive()),
};
export type PlanRow = Selectable<TableOf<typeof payPlans>>;

export interface ContractTables {
  pay_contracts: TableOf<typeof payContracts>;
  pay_deductions: TableOf<typeof payDeductions>;
  pay_plans: TableOf<typeof payPlans>;
}

export const contractMigrations: Migrations = {
  "019b_contracts": {
    async up(db) {
      await createTable(db, "pay_contracts", payContracts)
        .addUniqueConstraint("pay_contracts_code", ["mch_id", "plan_id", "out_contract_code"])
        .execute();
      await createTable(db, "pay_deductions", payDeductions)
        .addUniqueConstraint("pay_deductions_number", ["mch_id", "out_trade_no"])
        .execute();
      await createTable(db, "pay_plans", payPlans).execute();
      for (const table of ["pay_contracts", "pay_deductions"])
        await db.schema
          .createIndex(`${table}_due`)
          .on(table)
          .column("due_at")
          .where("due_at", "is not", null)
          .execute();
    },
  },
};
