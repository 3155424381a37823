import { randomBytes } from "node:crypto";
import type { Insertable, Kysely, Transaction } from "kysely";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { TransferFailure, TransferState } from "../../../contract/provider/transfers/transfer-terms.ts";
import { createTurns } from "../../../process/create-turns.ts";
import type { TableOf } from "../../../store/define-table.ts";
import { latestBeginning } from "../../../store/waits.ts";
import { availableOf, moving, type Book } from "../book/book.ts";
import { newTransferId } from "../ledger/ledger-ids.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import { transferNotice } from "./transfer-notice.ts";
import type { payTransfers, TransferRow, TransferTables } from "./transfer-tables.ts";

type Tables = TransferTables & LedgerTables & NotifierTables;

interface Deps {
  readonly db: Kysely<Tables>;
  readonly book: Book;
  readonly settings: () => Pick<SimPaymentSettings, "refund_seconds" | "timeScale">;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called with the time at which a transfer's new state ends. */
  readonly onDue: (due: number) => void;
  /** Stores the notifications of transfers that have ended. */
  readonly outbox: NoticeOutbox;
}

type RequestColumns = "mch_id" | "app_id" | "out_bill_no" | "openid" | "user_name" | "amount" | "remark" | "details";
export type TransferRequest = Pick<Insertable<TableOf<typeof payTransfers>>, RequestColumns> &
  Pick<TransferRow, "notify_url" | "notify_from">;

/** Names a transfer by one of its numbers; only the platform's is unique among merchants. */
export type TransferKey =
  | { readonly mchId: string; readonly outBillNo?: string; readonly transferBillNo?: string }
  | { readonly mchId?: undefined; readonly outBillNo?: undefined; readonly transferBillNo: string };

interface Move {
  readonly from: readonly TransferState[];
  readonly to: TransferState;
  readonly failReason?: TransferFailure | undefined;
}

/** How long the user has to confirm. */
const confirmMs = 24 * 3_600_000;
const minFen = 10;

const moves = {
  confirm: { from: ["WAIT_USER_CONFIRM"], to: "TRANSFERING" },
  cancel: { from: ["WAIT_USER_CONFIRM"], to: "CANCELING" },
} as const satisfies Record<string, Move>;

/** The ends of states by the clock. */
const ends: Partial<Record<TransferState, Omit<Move, "from">>> = {
  WAIT_USER_CONFIRM: { to: "FAIL", failReason: "OVERDUE_CLOSE" },
  TRANSFERING: { to: "SUCCESS" },
  CANCELING: { to: "CANCELLED", failReason: "MCH_CANCEL" },
};

/**
 * Transfers of merchants to users. The platform takes the merchant's money at once. The user gets it with SUCCESS; with
 * FAIL and CANCELLED it comes back.
 *
 * | From              | Event                       | To                  |
 * | ----------------- | --------------------------- | ------------------- |
 * |                   | create                      | WAIT_USER_CONFIRM   |
 * | WAIT_USER_CONFIRM | the user confirms           | TRANSFERING         |
 * | WAIT_USER_CONFIRM | the merchant cancels        | CANCELING           |
 * | WAIT_USER_CONFIRM | 24 hours are over           | FAIL, OVERDUE_CLOSE |
 * | TRANSFERING       | `refund_seconds` are over   | SUCCESS             |
 * | CANCELING         | `refund_seconds` are over   | CANCELLED           |
 * | any of the three  | fail, by hand               | FAIL                |
 */
export class Transfers {
  readonly #deps: Deps;
  readonly #inTurn = createTurns();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Accepts a transfer; a repeat returns the same one. @throws PaymentRefusal NOTENOUGH, INVALID_REQUEST */
  create(request: TransferRequest): Promise<TransferRow> {
    return this.#inTurn(async () => {
      const before = await this.find({ mchId: request.mch_id, outBillNo: request.out_bill_no });
      if (before) return sameTransfer(before, request);
      if (request.amount < minFen)
        throw new PaymentRefusal("INVALID_REQUEST", "超过单笔转账上下限，核实产品设置是否准确");
      return this.#insert(request);
    });
  }

  /** The transfer as it is stored. */
  find({ mchId, outBillNo, transferBillNo }: TransferKey): Promise<TransferRow | undefined> {
    return this.#deps.db
      .selectFrom("pay_transfers")
      .selectAll()
      .$if(mchId !== undefined, (all) => all.where("mch_id", "=", mchId ?? ""))
      .where((row) =>
        transferBillNo === undefined
          ? row("out_bill_no", "=", outBillNo ?? "")
          : row("transfer_bill_no", "=", transferBillNo),
      )
      .executeTakeFirst();
  }

  /** @throws PaymentRefusal NOT_FOUND */
  async get(key: TransferKey): Promise<TransferRow> {
    const found = await this.find(key);
    if (!found) throw new PaymentRefusal("NOT_FOUND", "记录不存在");
    return found;
  }

  /** The user takes the money. @throws PaymentRefusal INVALID_REQUEST in another state */
  async confirm(key: TransferKey): Promise<TransferRow> {
    return this.#moveOrRefuse(await this.get(key), moves.confirm);
  }

  /** A repeat changes nothing. @throws PaymentRefusal INVALID_REQUEST once the user has confirmed */
  async cancel(key: TransferKey): Promise<TransferRow> {
    const before = await this.get(key);
    if (before.state === "CANCELING" || before.state === "CANCELLED") return before;
    return this.#moveOrRefuse(before, moves.cancel);
  }

  async fail(key: TransferKey, failReason: TransferFailure): Promise<TransferRow> {
    return this.#moveOrRefuse(await this.get(key), { from: waiting, to: "FAIL", failReason });
  }

  /** Asks for the receipt. @throws PaymentRefusal INVALID_REQUEST before the money has arrived */
  async askReceipt(key: TransferKey): Promise<TransferRow> {
    const { db, now } = this.#deps;
    const transfer = await this.get(key);
    if (transfer.state !== "SUCCESS") throw wrongState(transfer);
    if (transfer.receipt_at !== null) return transfer;
    const receipt_at = now();
    await db.updateTable("pay_transfers").set({ receipt_at }).where("id", "=", transfer.id).execute();
    return { ...transfer, receipt_at };
  }

  /** When a receipt that was asked for is ready, in Unix ms. */
  receiptReadyAt({ receipt_at }: TransferRow): number | undefined {
    return receipt_at === null ? undefined : receipt_at + this.#processingMs;
  }

  async endDue(now: number): Promise<void> {
    const { db } = this.#deps;
    for (const row of await db.selectFrom("pay_transfers").selectAll().where("due_at", "<=", now).execute()) {
      const end = ends[row.state];
      if (row.state === "WAIT_USER_CONFIRM" && row.updated_at > latestBeginning(now)) await this.#waitAnew(row, now);
      else if (end) await this.#move(row, { from: [row.state], ...end });
    }
  }

  /** The clock was put back: the user has as long as at first. */
  async #waitAnew({ id }: TransferRow, now: number): Promise<void> {
    const wait = { updated_at: now, due_at: now + confirmMs };
    await this.#deps.db.updateTable("pay_transfers").set(wait).where("id", "=", id).execute();
  }

  /** The newest first. */
  list(filter: Partial<Pick<TransferRow, "mch_id" | "openid">>, limit: number): Promise<TransferRow[]> {
    return this.#deps.db
      .selectFrom("pay_transfers")
      .selectAll()
      .where((row) => row.and(filter))
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  get #processingMs(): number {
    const { refund_seconds, timeScale } = this.#deps.settings();
    return Math.round(refund_seconds * timeScale * 1000);
  }

  #insert(request: TransferRequest): Promise<TransferRow> {
    const { db, book, now, onDue } = this.#deps;
    const at = now();
    const due_at = at + confirmMs;
    return db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto("pay_transfers")
        .values({
          ...request,
          transfer_bill_no: newTransferId(at),
          state: "WAIT_USER_CONFIRM",
          fail_reason: null,
          package_info: randomBytes(48).toString("base64"),
          ...{ created_at: at, updated_at: at, due_at, receipt_at: null },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { mch_id: mchId, amount: fen } = row;
      const lines = moving(availableOf(mchId), "platform", fen);
      await book.post(trx, { ...keyOf(row), at, lines, charges: [{ mchId, fen }] });
      onDue(due_at);
      return row;
    });
  }

  async #moveOrRefuse(before: TransferRow, move: Move): Promise<TransferRow> {
    const moved = await this.#move(before, move);
    if (!moved) throw wrongState(before);
    return moved;
  }

  /** Undefined after another change, or in another state. */
  async #move(before: TransferRow, { from, to, failReason }: Move): Promise<TransferRow | undefined> {
    if (!from.includes(before.state)) return undefined;
    const { db, now, onDue, outbox } = this.#deps;
    const at = now();
    const due_at = ends[to] ? at + this.#processingMs : null;
    const moved = await db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable("pay_transfers")
        .set({ state: to, fail_reason: failReason ?? null, updated_at: at, due_at })
        .where("id", "=", before.id)
        .where("state", "=", before.state)
        .returningAll()
        .executeTakeFirst();
      if (row && due_at === null) await this.#end(trx, row);
      return row;
    });
    if (moved && due_at !== null) onDue(due_at);
    if (moved && due_at === null) outbox.wake();
    return moved;
  }

  async #end(trx: Transaction<Tables>, row: TransferRow): Promise<void> {
    const { book, outbox } = this.#deps;
    const { mch_id: mchId, amount } = row;
    if (row.state === "SUCCESS")
      await book.post(trx, { ...keyOf(row), kind: "transfer paid", lines: moving("platform", "buyers", amount) });
    else await book.undo(trx, keyOf(row), { kind: "transfer returned", charges: [{ mchId, fen: -amount }] });
    const notice = transferNotice(row);
    if (notice) await outbox.add(trx, notice);
  }
}

/** The posting that takes the money. */
const keyOf = ({ mch_id, transfer_bill_no }: TransferRow) => ({
  mchId: mch_id,
  kind: "transfer",
  subject: transfer_bill_no,
});

const waiting: readonly TransferState[] = ["WAIT_USER_CONFIRM", "TRANSFERING", "CANCELING"];

const wrongState = ({ state }: TransferRow) =>
  new PaymentRefusal("INVALID_REQUEST", `当前转账单状态为${state}，不支持此操作`);

/** @throws PaymentRefusal INVALID_REQUEST if the number was used for something else */
function sameTransfer(before: TransferRow, request: TransferRequest): TransferRow {
  const compared = ["app_id", "openid", "user_name", "amount", "remark", "details", "notify_url"] as const;
  if (compared.some((name) => before[name] !== request[name]))
    throw new PaymentRefusal("INVALID_REQUEST", "单号已存在但信息不一致，请查单后比较确认");
  return before;
}
