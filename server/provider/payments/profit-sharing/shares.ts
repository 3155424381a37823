import type { Kysely, Transaction } from "kysely";
import type { ShareFailure } from "../../../contract/provider/profit-sharing/share-terms.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { availableOf, frozenOf, moving, receiverOf, type Book } from "../book/book.ts";
import { newShareId } from "../ledger/ledger-ids.ts";
import type { Order } from "../ledger/ledger.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { ShareNotices } from "./share-notices.ts";
import type { ShareReceivers } from "./share-receivers.ts";
import { noRecord, noRelation, notEnough, notShareable, otherShare, overRatio } from "./share-refusals.ts";
import type { Share, ShareDetailRow, ShareRow, ShareTables } from "./share-tables.ts";
import { isShared, type SharedOrders } from "./shared-orders.ts";

type Tables = ShareTables & LedgerTables & NotifierTables;

interface Deps {
  readonly db: Kysely<Tables>;
  readonly book: Book;
  readonly receivers: Pick<ShareReceivers, "list" | "settingsOf">;
  readonly orders: SharedOrders;
  /** Ends the time to share of the orders for which it is over. */
  readonly releaseDue: () => Promise<void>;
  readonly settings: () => Pick<SimPaymentSettings, "refund_seconds" | "timeScale">;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called with the time at which a new share ends. */
  readonly onDue: (due: number) => void;
  readonly notices: ShareNotices;
}

export type RequestedPart = Pick<ShareDetailRow, "type" | "account" | "amount" | "description">;

interface ShareRequest {
  readonly outOrderNo: string;
  readonly receivers: readonly RequestedPart[];
  /** Description of the rest, which goes to the merchant. */
  readonly unfreezeAs?: string | undefined;
}

interface ShareFilter {
  readonly mch_id?: string | undefined;
  /** Number of the shared order. */
  readonly out_trade_no?: string | undefined;
  /** The platform's number of a share. */
  readonly order_id?: string | undefined;
}

export interface ShareOfOrder extends Share {
  readonly outTradeNo: string;
}

/**
 * Shares of orders.
 *
 * | From       | Event                   | To                                                              |
 * | ---------- | ----------------------- | --------------------------------------------------------------- |
 * |            | ask: to share, unfreeze | PROCESSING, its receivers PENDING                               |
 * | PROCESSING | its time has come       | FINISHED, its receivers SUCCESS, or CLOSED without their relation |
 * | PROCESSING | finish, by hand         | FINISHED, with the receivers that fail CLOSED                   |
 */
export class Shares {
  readonly #deps: Deps;
  readonly #inTurn = createTurns();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Accepts a request; a repeat returns the same share. @throws PaymentRefusal */
  ask(order: Order, request: ShareRequest): Promise<Share> {
    return this.#inTurn(async () => {
      const text = JSON.stringify(request);
      const before = await this.#byNumber(order.mchId, request.outOrderNo);
      if (before) {
        if (before.request !== text || before.transaction_id !== order.transactionId) throw otherShare();
        return this.#withDetails(before);
      }
      await this.#deps.releaseDue();
      const share = await this.#accept(order, request, text);
      this.#deps.onDue(share.due_at ?? 0);
      return this.#withDetails(share);
    });
  }

  /** @throws PaymentRefusal RESOURCE_NOT_EXISTS */
  async get(mchId: string, key: { readonly outOrderNo?: string | undefined; readonly orderId?: string | undefined }) {
    const share =
      key.orderId === undefined
        ? await this.#byNumber(mchId, key.outOrderNo ?? "")
        : await this.#ofMerchant(mchId).where("order_id", "=", key.orderId).executeTakeFirst();
    if (!share) throw noRecord();
    return this.#withDetails(share);
  }

  /** Fen that can still be shared. @throws PaymentRefusal INVALID_REQUEST for another order */
  async frozen(order: Order): Promise<number> {
    if (!isShared(order)) throw notShareable();
    await this.#deps.releaseDue();
    return this.#deps.orders.free(order.id);
  }

  /** Ends a share now. @param failures by account */
  async finish(orderId: string, failures: Readonly<Record<string, ShareFailure>>): Promise<Share> {
    const { db } = this.#deps;
    const share = await db.selectFrom("pay_shares").selectAll().where("order_id", "=", orderId).executeTakeFirst();
    if (!share) throw noRecord();
    await this.#finish(share, failures);
    return this.#withDetails({ ...share, state: "FINISHED", due_at: null });
  }

  async finishDue(now: number): Promise<void> {
    const { db } = this.#deps;
    for (const share of await db.selectFrom("pay_shares").selectAll().where("due_at", "<=", now).execute())
      await this.#finish(share, {});
  }

  /** The newest first. */
  async list({ mch_id, out_trade_no, order_id }: ShareFilter, limit: number): Promise<ShareOfOrder[]> {
    const rows = await this.#deps.db
      .selectFrom("pay_shares")
      .innerJoin("pay_orders", "pay_orders.transaction_id", "pay_shares.transaction_id")
      .selectAll("pay_shares")
      .select("pay_orders.out_trade_no")
      .$if(mch_id !== undefined, (all) => all.where("pay_shares.mch_id", "=", mch_id ?? ""))
      .$if(out_trade_no !== undefined, (all) => all.where("pay_orders.out_trade_no", "=", out_trade_no ?? ""))
      .$if(order_id !== undefined, (all) => all.where("pay_shares.order_id", "=", order_id ?? ""))
      .orderBy("pay_shares.id", "desc")
      .limit(limit)
      .execute();
    return Promise.all(
      rows.map(async ({ out_trade_no: outTradeNo, ...share }) => ({ ...(await this.#withDetails(share)), outTradeNo })),
    );
  }

  #ofMerchant(mchId: string) {
    return this.#deps.db.selectFrom("pay_shares").selectAll().where("mch_id", "=", mchId);
  }

  #byNumber(mchId: string, outOrderNo: string): Promise<ShareRow | undefined> {
    return this.#ofMerchant(mchId).where("out_order_no", "=", outOrderNo).executeTakeFirst();
  }

  async #withDetails(share: ShareRow, db: Kysely<Tables> | Transaction<Tables> = this.#deps.db): Promise<Share> {
    const details = db.selectFrom("pay_share_details").selectAll().where("share_id", "=", share.id);
    return { share, details: await details.orderBy("id").execute() };
  }

  /** The requested parts, and what is left for the merchant. */
  async #checkedParts(
    order: Order,
    { receivers, unfreezeAs }: ShareRequest,
    trx: Transaction<Tables>,
  ): Promise<readonly RequestedPart[]> {
    const { orders, receivers: known } = this.#deps;
    const own = order.mchId;
    if (!isShared(order)) throw notShareable();
    const frozen = await orders.free(order.id, trx);
    const relations = new Set((await known.list(own, trx)).map(keyOf));
    const others = receivers.filter(({ account }) => account !== own);
    if (!others.every((part) => relations.has(keyOf(part)))) throw noRelation();
    const sum = sumOf(receivers);
    const { max_ratio } = await known.settingsOf(own, trx);
    const limit = Math.floor((order.total * max_ratio) / 10_000);
    if ((await orders.sharedWithOthers(order, trx)) + sumOf(others) > limit) throw overRatio();
    if (sum > frozen || frozen === 0) throw notEnough();
    if (unfreezeAs === undefined || sum === frozen) return receivers;
    return [...receivers, { type: "MERCHANT_ID", account: own, amount: frozen - sum, description: unfreezeAs }];
  }

  /** Checks and stores a request in one transaction, so that no refund spends its money. @param text of the request */
  #accept(order: Order, request: ShareRequest, text: string): Promise<ShareRow> {
    const { db, now, settings } = this.#deps;
    const at = now();
    const { refund_seconds, timeScale } = settings();
    return db.transaction().execute(async (trx) => {
      const parts = await this.#checkedParts(order, request, trx);
      const share = await trx
        .insertInto("pay_shares")
        .values({
          mch_id: order.mchId,
          transaction_id: order.transactionId ?? "",
          out_order_no: request.outOrderNo,
          order_id: newShareId(at),
          request: text,
          state: "PROCESSING",
          created_at: at,
          due_at: at + Math.round(refund_seconds * timeScale * 1000),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const pending = { share_id: share.id, result: "PENDING", created_at: at, returned: 0 } as const;
      for (const part of parts)
        await trx
          .insertInto("pay_share_details")
          .values({ ...pending, ...part, detail_id: newShareId(at) })
          .execute();
      return share;
    });
  }

  async #finish(share: ShareRow, failures: Readonly<Record<string, ShareFailure>>): Promise<void> {
    const { db, receivers, notices } = this.#deps;
    const relations = new Set((await receivers.list(share.mch_id)).map(keyOf));
    const failureOf = (detail: ShareDetailRow): ShareFailure | undefined => {
      if (detail.account === share.mch_id) return undefined;
      return failures[detail.account] ?? (relations.has(keyOf(detail)) ? undefined : "NO_RELATION");
    };
    const { details } = await this.#withDetails(share);
    await db.transaction().execute(async (trx) => {
      const ended = await trx
        .updateTable("pay_shares")
        .set({ state: "FINISHED", due_at: null })
        .where("id", "=", share.id)
        .where("state", "=", "PROCESSING")
        .returning("id")
        .executeTakeFirst();
      if (!ended) return;
      for (const detail of details) await this.#endDetail(trx, share, detail, failureOf(detail));
      await notices.shared(trx, await this.#withDetails(share, trx));
    });
    notices.wake();
  }

  async #endDetail(
    trx: Transaction<Tables>,
    share: ShareRow,
    { id, detail_id: subject, type, account, amount }: ShareDetailRow,
    failure: ShareFailure | undefined,
  ): Promise<void> {
    const { book, now } = this.#deps;
    await trx
      .updateTable("pay_share_details")
      .set({ result: failure ? "CLOSED" : "SUCCESS", fail_reason: failure ?? null, finished_at: now() })
      .where("id", "=", id)
      .execute();
    const order = await orderOf(trx, share);
    const owner = ownerOf(order);
    const posting = { mchId: order.mch_id, subject, orderId: order.id };
    if (failure || account === share.mch_id) {
      const lines = moving(frozenOf(owner), availableOf(owner), amount);
      return book.post(trx, { ...posting, kind: "unfreeze", lines });
    }
    const charges = type === "MERCHANT_ID" ? [{ mchId: account, fen: -amount }] : [];
    const lines = moving(frozenOf(owner), receiverOf(account), amount);
    return book.post(trx, { ...posting, kind: "share", lines, charges });
  }
}

const keyOf = ({ type, account }: Pick<ShareDetailRow, "type" | "account">) => `${type} ${account}`;
const sumOf = (parts: readonly RequestedPart[]) => parts.reduce((sum, { amount }) => sum + amount, 0);

/** The order that a share is of. */
export const orderOf = (db: Transaction<LedgerTables>, { mch_id, transaction_id }: ShareRow) =>
  db
    .selectFrom("pay_orders")
    .selectAll()
    .where("mch_id", "=", mch_id)
    .where("transaction_id", "=", transaction_id)
    .executeTakeFirstOrThrow();
