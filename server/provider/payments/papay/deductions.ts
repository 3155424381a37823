/** Deductions by contracts: orders that the platform pays with the user's money a while after the merchant's request. */
import type { Kysely, Transaction } from "kysely";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { PaymentRefusal, type Ledger, type Order, type OrderRequest } from "../ledger/ledger.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import { failureNotice } from "./contract-notices.ts";
import { checkDeduction, delayMs, isFresh, notInForce } from "./contract-rules.ts";
import type { ContractRow, ContractTables } from "./contract-tables.ts";
import type { Contracts } from "./contracts.ts";

type Tables = ContractTables & NotifierTables;

interface Deps {
  readonly db: Kysely<Tables>;
  readonly ledger: Pick<Ledger, "place" | "find" | "pay" | "failPayment">;
  readonly contracts: Contracts;
  readonly settings: () => Pick<SimPaymentSettings, "refund_seconds" | "timeScale">;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called with the time at which a deduction has its result. */
  readonly onDue: (due: number) => void;
  /** Stores the notifications of deductions that have failed. */
  readonly outbox: NoticeOutbox;
}

/** The request for an order without the user, whom the contract names. */
export type DeductionRequest = Omit<OrderRequest, "openid" | "tradeType">;

export class Deductions {
  readonly #deps: Deps;
  readonly #inTurn = createTurns();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Accepts a deduction; a repeat returns the same one. @throws PaymentRefusal INVALID_REQUEST, RULELIMIT, as `place` */
  ask(contract: ContractRow, request: DeductionRequest): Promise<Order> {
    return this.#inTurn(async () => {
      const { db, ledger } = this.#deps;
      const order = { ...request, tradeType: "PAP", openid: contract.openid ?? undefined } as const;
      const key = { mchId: request.mchId, outTradeNo: request.outTradeNo };
      const pending = await db
        .selectFrom("pay_deductions")
        .select("out_trade_no")
        .where("contract", "=", contract.id)
        .executeTakeFirst();
      const known = await ledger.find(key);
      const isRepeat = pending?.out_trade_no === request.outTradeNo || known !== undefined;
      if (!isRepeat) await this.#check(contract, request.total, pending !== undefined);
      if (known && known.tradeState !== "NOTPAY") return ledger.place(order);
      // First, so that no order is left without its deduction by a crash. One without its order is forgotten when it is due.
      const due_at = await this.#plan(contract, key);
      const placed = await ledger.place(order).catch(async (error: unknown) => {
        if (!isRepeat) await db.deleteFrom("pay_deductions").where("contract", "=", contract.id).execute();
        throw error;
      });
      this.#deps.onDue(due_at);
      return placed;
    });
  }

  endDue(now: number): Promise<void> {
    return this.#inTurn(async () => {
      const { db } = this.#deps;
      for (const row of await db.selectFrom("pay_deductions").selectAll().where("due_at", "<=", now).execute()) {
        const contract = await db
          .selectFrom("pay_contracts")
          .selectAll()
          .where("id", "=", row.contract)
          .executeTakeFirst();
        const order = await this.#deps.ledger.find({ mchId: row.mch_id, outTradeNo: row.out_trade_no });
        const record = contract && order && (await this.#end(contract, order));
        await db.transaction().execute(async (trx) => {
          await record?.(trx);
          await trx.deleteFrom("pay_deductions").where("id", "=", row.id).execute();
        });
        this.#deps.outbox.wake();
      }
    });
  }

  /**
   * Pays the order, or fails to; again after a crash. @returns what is to be recorded in the transaction that forgets the
   * deduction, so that a crash loses no notification
   */
  async #end(contract: ContractRow, order: Order): Promise<(trx: Transaction<Tables>) => Promise<void>> {
    const { contracts, ledger, outbox } = this.#deps;
    const key = { mchId: order.mchId, outTradeNo: order.outTradeNo };
    const reason = contract.state === "SIGNED" ? contract.next_failure : "bank";
    const ended = await unlessEnded(() =>
      reason === null ? ledger.pay(key, { payer: contract.openid ?? undefined }) : ledger.failPayment(key, reason),
    );
    const last = ended ?? (await ledger.find(key));
    return async (trx) => {
      if (last?.tradeState === "SUCCESS") return contracts.deducted(trx, contract, order.total);
      const hasFailed = ended !== undefined || last?.tradeState === "PAYERROR";
      const notice = hasFailed && reason !== null ? failureNotice(last ?? order, contract, reason) : undefined;
      if (notice) await outbox.add(trx, notice);
      await contracts.setNextFailure(contract, null, trx);
    };
  }

  /** @returns when a new deduction has its result */
  async #plan(
    contract: ContractRow,
    { mchId, outTradeNo }: Pick<OrderRequest, "mchId" | "outTradeNo">,
  ): Promise<number> {
    const at = this.#deps.now();
    const due_at = at + (await this.#waitOf(contract, at));
    await this.#deps.db
      .insertInto("pay_deductions")
      .values({ contract: contract.id, mch_id: mchId, out_trade_no: outTradeNo, created_at: at, due_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return due_at;
  }

  /** @throws PaymentRefusal */
  async #check(contract: ContractRow, fen: number, isPending: boolean): Promise<void> {
    if (contract.state !== "SIGNED") throw notInForce();
    if (isPending) throw new PaymentRefusal("RULELIMIT", "交易金额或次数超出限制，请检查后再试");
    const { mode } = await this.#deps.contracts.plan(contract.plan_id);
    checkDeduction(contract, mode, fen, this.#deps.now());
  }

  async #waitOf(contract: ContractRow, at: number): Promise<number> {
    const { refund_seconds, timeScale } = this.#deps.settings();
    const { mode } = await this.#deps.contracts.plan(contract.plan_id);
    if (mode === "delayed" && !isFresh(contract, at)) return Math.round(delayMs * timeScale);
    return Math.round(refund_seconds * timeScale * 1000);
  }
}

/** Undefined for an order that somebody else has ended. */
async function unlessEnded(end: () => Promise<Order>): Promise<Order | undefined> {
  try {
    return await end();
  } catch (error) {
    if (error instanceof PaymentRefusal) return undefined;
    throw error;
  }
}
