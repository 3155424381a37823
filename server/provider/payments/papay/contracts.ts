/** Contracts by which merchants deduct money from users: how they are signed and how they end. */
import { randomBytes } from "node:crypto";
import type { Kysely, Transaction, Updateable } from "kysely";
import type { DeductionFailure, TerminationMode } from "../../../contract/provider/papay/contract-terms.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import { newContractId } from "../ledger/ledger-ids.ts";
import { refusal } from "../ledger/refusals.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import { contractNotice } from "./contract-notices.ts";
import {
  announcedDays,
  announcedWindow,
  checkScheduling,
  checkTelling,
  endOfSchedule,
  notInForce,
} from "./contract-rules.ts";
import type { AnnouncedDeduction, ContractKey, SignRequest, Termination } from "./contract-inputs.ts";
import type { ContractRow, ContractTables, NewContract, PlanRow } from "./contract-tables.ts";

type Tables = ContractTables & NotifierTables;

interface Deps {
  readonly db: Kysely<Tables>;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called with the time at which a contract ends by itself. */
  readonly onDue: (due: number) => void;
  /** Stores the notifications of contracts that were signed or have ended. */
  readonly outbox: NoticeOutbox;
}

const dayMs = 24 * 3_600_000;
/** Of plans that were never set. */
const defaultPlan = { mode: "instant", terminated_url: null, valid_days: 3_650 } as const;
/** The user if nobody names one. */
const somebody = "oHearthBuyerWithoutName00001";

const unset = {
  ...{ signed_at: null, expires_at: null, terminated_at: null, termination_mode: null, termination_remark: null },
  ...{ schedule_state: null, scheduled_fen: null, deducted_fen: null, deducted_at: null },
  ...{ announced_from: null, announced_until: null, announced_fen: null, next_failure: null, due_at: null },
};

/** Of a schedule whose contract ends unused. */
const expired = { schedule_state: "EXPIRED" } as const;

const noContract = () => new PaymentRefusal("CONTRACT_NOT_EXIST", "签约协议不存在");

/**
 * | From             | Event                                     | To         |
 * | ---------------- | ----------------------------------------- | ---------- |
 * |                  | the merchant asks for it                  | WAITING    |
 * | WAITING, REFUSED | the merchant asks for it again            | WAITING    |
 * | WAITING          | the user signs, or pays the order with it | SIGNED     |
 * | WAITING          | the user refuses                          | REFUSED    |
 * | SIGNED           | the user or the merchant ends it          | TERMINATED |
 * | SIGNED           | its time or its only deduction is over    | TERMINATED |
 */
export class Contracts {
  readonly #deps: Deps;
  readonly #inTurn = createTurns();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Prepares a contract for its user. @throws PaymentRefusal INVALID_REQUEST if the number was signed before */
  ask(request: SignRequest): Promise<ContractRow> {
    const { db, now } = this.#deps;
    return this.#inTurn(async () => {
      const at = now();
      const row = {
        ...{ sub_mch_id: null, sub_app_id: null, openid: null, sub_openid: null, request_serial: null },
        ...{ out_user_code: null, notify_from: null, return_url: null, out_trade_no: null },
        ...{ deduct_day: null, deduct_fen: null, sign_type: "MD5" as const },
        ...request,
        ...{ ...unset, state: "WAITING" as const, created_at: at, pre_sign_id: randomBytes(16).toString("hex") },
      };
      const before = await this.#byCode(request.mch_id, request.plan_id, request.out_contract_code);
      if (!before)
        return db
          .insertInto("pay_contracts")
          .values({ ...row, contract_id: newContractId(at) })
          .returningAll()
          .executeTakeFirstOrThrow();
      if (before.state === "SIGNED" || before.state === "TERMINATED")
        throw refusal("INVALID_REQUEST", "签约协议号已被使用");
      return this.#change(before, row);
    });
  }

  /** A contract that its user has signed once. @throws PaymentRefusal CONTRACT_NOT_EXIST */
  async get({ mchId, subMchId, contractId, planId = 0, code = "" }: ContractKey): Promise<ContractRow> {
    const found =
      contractId === undefined
        ? await this.#byCode(mchId, planId, code)
        : await this.byId(contractId).catch(() => undefined);
    if (found?.mch_id !== mchId || found.sub_mch_id !== subMchId || found.signed_at === null) throw noContract();
    return found;
  }

  /** @throws PaymentRefusal CONTRACT_NOT_EXIST */
  async byId(contractId: string): Promise<ContractRow> {
    const { db } = this.#deps;
    const all = db.selectFrom("pay_contracts").selectAll();
    const found = await all.where("contract_id", "=", contractId).executeTakeFirst();
    if (!found) throw noContract();
    return found;
  }

  /** Undefined for an unknown number. */
  byPreSignId(preSignId: string): Promise<ContractRow | undefined> {
    const { db } = this.#deps;
    return db.selectFrom("pay_contracts").selectAll().where("pre_sign_id", "=", preSignId).executeTakeFirst();
  }

  /** @param openid who signs, if the merchant named nobody. @throws PaymentRefusal INVALID_REQUEST in another state */
  sign(before: ContractRow, openid?: string): Promise<ContractRow> {
    const { now, onDue } = this.#deps;
    return this.#inTurn(async () => {
      const plan = await this.plan(before.plan_id);
      const at = now();
      const expires_at = at + plan.valid_days * dayMs;
      const due_at = before.deduct_day === null ? expires_at : Math.min(expires_at, endOfSchedule(before.deduct_day));
      const signed = await this.#moveAndNotify(before, "WAITING", plan, {
        ...{ state: "SIGNED", signed_at: at, expires_at, due_at },
        openid: before.openid ?? openid ?? somebody,
        schedule_state: before.deduct_day === null ? null : "NO_SCHEDULED",
      });
      onDue(due_at);
      return signed;
    });
  }

  /** @throws PaymentRefusal INVALID_REQUEST in another state */
  refuse(before: ContractRow): Promise<ContractRow> {
    return this.#inTurn(() => this.#move(before, "WAITING", { state: "REFUSED" }));
  }

  /** @throws PaymentRefusal INVALID_REQUEST in another state */
  terminate(before: ContractRow, { mode, remark }: Termination): Promise<ContractRow> {
    return this.#inTurn(async () => {
      const plan = await this.plan(before.plan_id);
      return this.#moveAndNotify(before, "SIGNED", plan, this.#ended(mode, remark));
    });
  }

  /** Tells the user of a deduction. @throws PaymentRefusal INVALID_REQUEST */
  announce(before: ContractRow, { fen, days = announcedDays }: AnnouncedDeduction): Promise<ContractRow> {
    return this.#inTurn(async () => {
      const at = this.#deps.now();
      checkTelling(at);
      if (before.announced_until !== null && at < before.announced_until)
        throw refusal("INVALID_REQUEST", "当前扣费周期未结束");
      const { from, until } = announcedWindow(at, days);
      return this.#move(before, "SIGNED", { announced_from: from, announced_until: until, announced_fen: fen });
    });
  }

  /** Tells the user that a deduction has failed. @throws PaymentRefusal INVALID_REQUEST */
  async remind(contract: ContractRow): Promise<void> {
    const at = this.#deps.now();
    checkTelling(at);
    if (contract.state !== "SIGNED") throw notInForce();
    const { announced_from: from, announced_until: until } = contract;
    if (from === null || until === null || at < from || at >= until) throw refusal("INVALID_REQUEST", "不在可扣费期内");
    return Promise.resolve();
  }

  /** Books the only deduction of a contract. @throws PaymentRefusal INVALID_REQUEST */
  schedule(before: ContractRow, fen: number): Promise<ContractRow> {
    return this.#inTurn(() => {
      checkScheduling(before, fen, this.#deps.now());
      return this.#move(before, "SIGNED", { schedule_state: "SCHEDULED", scheduled_fen: fen });
    });
  }

  /** Records a deduction that has succeeded in the transaction. The only one of a contract ends it. */
  async deducted(trx: Transaction<Tables>, before: ContractRow, fen: number): Promise<void> {
    const announced = { announced_from: null, announced_until: null, announced_fen: null };
    const now = this.#deps.now();
    const only = { schedule_state: "PAID", deducted_fen: fen, deducted_at: now } as const;
    const isOnly = before.deduct_day !== null;
    const after = await this.#change(before, { ...announced, ...(isOnly && only) }, trx);
    if (!isOnly || after.state !== "SIGNED") return;
    const ended = await this.#change(after, this.#ended("SYSTEM_TERMINATE", null), trx);
    await this.#deps.outbox.add(trx, contractNotice(ended, await this.plan(ended.plan_id, trx)));
  }

  /** @param failure null: it succeeds */
  setNextFailure(
    contract: ContractRow,
    failure: DeductionFailure | null,
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<ContractRow> {
    return this.#change(contract, { next_failure: failure }, db);
  }

  async plan(planId: number, db: Kysely<Tables> = this.#deps.db): Promise<PlanRow> {
    const stored = await db.selectFrom("pay_plans").selectAll().where("plan_id", "=", planId).executeTakeFirst();
    return stored ?? { plan_id: planId, ...defaultPlan };
  }

  async setPlan(plan: PlanRow): Promise<PlanRow> {
    const { plan_id: _same, ...change } = plan;
    const { db } = this.#deps;
    await db
      .insertInto("pay_plans")
      .values(plan)
      .onConflict((conflict) => conflict.column("plan_id").doUpdateSet(change))
      .execute();
    return plan;
  }

  /** Contracts that wait for the payment of an order. */
  waitingForOrders(): Promise<ContractRow[]> {
    const { db } = this.#deps;
    return db
      .selectFrom("pay_contracts")
      .selectAll()
      .where("state", "=", "WAITING")
      .where("out_trade_no", "is not", null)
      .execute();
  }

  async endDue(now: number): Promise<void> {
    const { db } = this.#deps;
    for (const row of await db.selectFrom("pay_contracts").selectAll().where("due_at", "<=", now).execute()) {
      const plan = await this.plan(row.plan_id);
      const change = { ...this.#ended("SYSTEM_TERMINATE", null), ...(row.schedule_state && expired) };
      await this.#inTurn(() => this.#moveAndNotify(row, "SIGNED", plan, change));
    }
  }

  /** The newest first. */
  list(filter: Partial<Pick<ContractRow, "mch_id" | "openid">>, limit: number): Promise<ContractRow[]> {
    const { db } = this.#deps;
    return db
      .selectFrom("pay_contracts")
      .selectAll()
      .where((row) => row.and(filter))
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  #byCode(mchId: string, planId: number, code: string): Promise<ContractRow | undefined> {
    return this.#deps.db
      .selectFrom("pay_contracts")
      .selectAll()
      .where("mch_id", "=", mchId)
      .where("plan_id", "=", planId)
      .where("out_contract_code", "=", code)
      .executeTakeFirst();
  }

  #ended(termination_mode: TerminationMode, termination_remark: string | null) {
    const terminated_at = this.#deps.now();
    return { state: "TERMINATED", terminated_at, termination_mode, termination_remark, due_at: null } as const;
  }

  #change(
    { id }: ContractRow,
    change: Updateable<NewContract>,
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<ContractRow> {
    return db.updateTable("pay_contracts").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
  }

  /** Stores the notification with the new state, so that a crash loses neither. */
  async #moveAndNotify(
    before: ContractRow,
    from: ContractRow["state"],
    plan: PlanRow,
    change: Updateable<NewContract>,
  ): Promise<ContractRow> {
    const { db, outbox } = this.#deps;
    const moved = await db.transaction().execute(async (trx) => {
      const row = await this.#move(before, from, change, trx);
      await outbox.add(trx, contractNotice(row, plan));
      return row;
    });
    outbox.wake();
    return moved;
  }

  async #move(
    { id }: ContractRow,
    from: ContractRow["state"],
    change: Updateable<NewContract>,
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<ContractRow> {
    const moved = await db
      .updateTable("pay_contracts")
      .set(change)
      .where("id", "=", id)
      .where("state", "=", from)
      .returningAll()
      .executeTakeFirst();
    if (!moved) throw notInForce();
    return moved;
  }
}
