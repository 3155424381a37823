import { sql, type Insertable } from "kysely";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { dayStart } from "../../../payment-wire/provider-time.ts";
import type { Database, Statement } from "../../../store/database.ts";
import { parameterRow } from "../../../store/prepared-statement.ts";
import { newTransactionId } from "./ledger-ids.ts";
import { freshRow, isSameRequest, newPrepay, toLedgerOrder } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow, PayOrdersTable } from "./ledger-tables.ts";
import type { CodePayment, CodePaymentCase, Order, OrderRequest, PaymentRefusal, ReadAuthCode } from "./ledger.ts";
import type { Notify } from "./commits.ts";
import type { OrderTable } from "./order-table.ts";
import { refusal, whyNotPayable } from "./refusals.ts";
import { targetOf } from "./trade-state.ts";

export interface PlacingDeps extends Pick<Database<LedgerTables>, "db" | "writes"> {
  readonly orders: OrderTable;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly settings: () => SimPaymentSettings;
  /** Whether the platform has a person with that openid; called only under `strict_openid`. */
  readonly knowsOpenId: (openid: string) => Promise<boolean>;
  readonly readAuthCode: ReadAuthCode;
}

type NewOrder = Insertable<PayOrdersTable>;

/** The bank of payments that name none. */
export const defaultBank = "OTHERS";

const keyOf = ({ mchId, outTradeNo }: OrderRequest) => ({ mchId, outTradeNo });

function placed(row: OrderRow, notify: Notify, parts?: readonly OrderRow[]): Order {
  const order = toLedgerOrder(row, parts);
  notify({ kind: "order", from: undefined, order });
  return order;
}

/** Places orders, and answers a repeated or different order with the same number. */
export class Placing {
  readonly #deps: PlacingDeps;
  #inserting: Statement<{ id: number }> | undefined;

  constructor(deps: PlacingDeps) {
    this.#deps = deps;
  }

  /** Call it before placing. @throws PaymentRefusal OPENID_MISMATCH */
  async checkOpenId({ openid, version }: Pick<OrderRequest, "openid" | "version">): Promise<void> {
    const { settings, knowsOpenId } = this.#deps;
    // Alipay has numbers of its own for people.
    if (openid !== undefined && version !== "alipay" && settings().strict_openid && !(await knowsOpenId(openid)))
      throw refusal("OPENID_MISMATCH");
  }

  /** Undefined when the number is taken. For use inside a step. */
  async place(request: OrderRequest, notify: Notify): Promise<Order | undefined> {
    const at = this.#deps.now();
    const fresh = freshRow(request, at);
    const row = { ...fresh, trade_state: targetOf("ordered"), ...newPrepay(fresh, at) };
    const stored = await this.#insert(row);
    return stored && placed(stored, notify);
  }

  /** The answer to a request whose number is taken. */
  async placeAgain(request: OrderRequest, notify: Notify): Promise<Order> {
    const before = await this.#deps.orders.current(keyOf(request), notify);
    const refused = before.combined === null ? whyNotAgain(before, request) : refusal("OUT_TRADE_NO_USED");
    if (refused) throw refused;
    return toLedgerOrder(await this.#withLivePrepayId(before));
  }

  /** Undefined when the number is taken. For use inside a step. @throws PaymentRefusal OUT_TRADE_NO_USED for a part's */
  async placeCombined(
    request: OrderRequest,
    parts: readonly OrderRequest[],
    notify: Notify,
  ): Promise<Order | undefined> {
    const at = this.#deps.now();
    const trade_state = targetOf("ordered");
    const fresh = freshRow(request, at);
    const whole = await this.#insert({ ...fresh, trade_state, ...newPrepay(fresh, at), combined: 0 });
    if (!whole) return undefined;
    const rows: OrderRow[] = [];
    for (const part of parts) {
      const row = await this.#insert({ ...freshRow(part, at), trade_state, combined: whole.id });
      if (!row) throw refusal("OUT_TRADE_NO_USED", `商户订单号重复：${part.outTradeNo}`);
      rows.push(row);
    }
    for (const row of rows) placed(row, notify);
    return placed(whole, notify, rows);
  }

  /** The answer to a request for a combined order whose number is taken. */
  async placeCombinedAgain(request: OrderRequest, parts: readonly OrderRequest[], notify: Notify): Promise<Order> {
    const before = await this.#deps.orders.current(keyOf(request), notify);
    const rows = await this.#deps.orders.partsOf(before);
    if (!rows) throw refusal("OUT_TRADE_NO_USED");
    const refused = whyNotAgain(before, request);
    if (refused) throw refused;
    const isSame = rows.length === parts.length && rows.every((row, at) => parts[at] && isSameRequest(row, parts[at]));
    if (!isSame) throw refusal("INVALID_REQUEST");
    return toLedgerOrder(await this.#withLivePrepayId(before), rows);
  }

  /** @throws PaymentRefusal USERPAYING, BANKERROR, after the order was accepted */
  async payByCode(request: OrderRequest, authCode: string, how: CodePaymentCase, notify: Notify): Promise<Order> {
    const { orders, readAuthCode, writes } = this.#deps;
    const before = await orders.read(keyOf(request));
    if (before) throw whyNoSecondCode(await orders.refresh(before, notify), request);
    const buyer = await readAuthCode(authCode, request);
    const outcome =
      how.outcome ?? buyer.outcome ?? ((await this.#needsPassword(request, buyer)) ? "asks-password" : "paid");
    const row = this.#codeRow(request, outcome, { payer: buyer.openid, coupon_fee: how.couponFee ?? 0 });
    const taken = await writes.write(async () => {
      const added = await this.#insert(row);
      if (added?.trade_state === "SUCCESS") await orders.bookPayment(added);
      return added;
    });
    if (!taken) throw whyNoSecondCode(await orders.current(keyOf(request), notify), request);
    const order = placed(taken, notify);
    if (outcome === "asks-password") throw refusal("USERPAYING");
    if (outcome === "refused") {
      const moved = await orders.move(taken, "refused", { password_until: null }, notify);
      await orders.recordFailure(moved ?? taken, "bank", notify);
      throw refusal("BANKERROR");
    }
    return order;
  }

  /** Undefined when the number is taken. For use inside a write. */
  async #insert(row: NewOrder): Promise<OrderRow | undefined> {
    const { db, writes } = this.#deps;
    // All rows have the same columns as the first one.
    this.#inserting ??= writes.prepare(
      db
        .insertInto("pay_orders")
        .values(parameterRow(Object.keys(row)) as unknown as NewOrder)
        .onConflict((conflict) => conflict.columns(["mch_id", "out_trade_no"]).doNothing())
        .returning("id"),
    );
    const [added] = await this.#inserting(row);
    return added && ({ ...row, id: added.id } as OrderRow);
  }

  /** A prepay id expires two hours after it was issued. */
  async #withLivePrepayId(row: OrderRow): Promise<OrderRow> {
    const { db, now } = this.#deps;
    const at = now();
    if (row.prepay_expires_at > at) return row;
    const prepay = newPrepay(row, at);
    await db.updateTable("pay_orders").set(prepay).where("id", "=", row.id).execute();
    return { ...row, ...prepay };
  }

  /** Depends on the amount, and on how often the buyer has paid without a password today. */
  async #needsPassword({ total }: OrderRequest, { openid }: { readonly openid: string }): Promise<boolean> {
    const { db, now, settings } = this.#deps;
    const { password_above_fen, free_payments_a_day } = settings();
    if (total > password_above_fen) return true;
    const { free } = await db
      .selectFrom("pay_orders")
      .select((e) => e.fn.countAll<number>().as("free"))
      .where("trade_type", "=", sql.lit("MICROPAY"))
      .where("payer", "=", openid)
      .where("paid_at", ">=", dayStart(now()))
      .where("password_until", "is", null)
      .executeTakeFirstOrThrow();
    return free >= free_payments_a_day;
  }

  #codeRow(request: OrderRequest, outcome: CodePayment, payment: { payer: string; coupon_fee: number }): NewOrder {
    const { now, settings } = this.#deps;
    const at = now();
    const row = { ...freshRow(request, at), ...payment };
    if (outcome === "paid")
      return {
        ...row,
        trade_state: targetOf("paidByCode"),
        transaction_id: row.transaction_id ?? newTransactionId(at),
        paid_at: at,
        bank_type: defaultBank,
      };
    // A bank refuses only after the buyer was asked for the password.
    const password_until = at + Math.round(settings().password_seconds * 1000);
    return { ...row, trade_state: targetOf("passwordAsked"), password_until };
  }
}

/** Why an order cannot be placed again; undefined if the request is a repeat. */
function whyNotAgain(before: OrderRow, request: OrderRequest): PaymentRefusal | undefined {
  const isOther =
    before.trade_type !== request.tradeType ||
    before.version !== request.version ||
    before.sandbox !== Number(request.sandbox === true);
  if (isOther) return refusal("OUT_TRADE_NO_USED");
  return (
    whyNotPayable({ tradeState: before.trade_state }) ??
    (isSameRequest(before, request) ? undefined : refusal("INVALID_REQUEST"))
  );
}

/** A payment code is used once per order: whatever the result, no other code pays an order with the same number. */
function whyNoSecondCode(before: OrderRow, request: OrderRequest): PaymentRefusal {
  const refused = whyNotAgain(before, request);
  if (refused) return refused;
  return refusal(before.trade_state === "USERPAYING" ? "USERPAYING" : "OUT_TRADE_NO_USED");
}
