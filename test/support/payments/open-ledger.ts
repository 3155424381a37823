/** A ledger over a database of its own, with a clock and settings that the test changes. */
import { join } from "node:path";
import { defaultSimSettings } from "../../../server/provider/identity/sim-settings.ts";
import { Book } from "../../../server/provider/payments/book/book.ts";
import { createLedger } from "../../../server/provider/payments/ledger/create-ledger.ts";
import type { Holds } from "../../../server/provider/payments/ledger/holds.ts";
import { ledgerMigrations, type LedgerTables } from "../../../server/provider/payments/ledger/ledger-tables.ts";
import {
  PaymentRefusal,
  type Ledger,
  type LedgerChange,
  type OrderRequest,
  type ReadAuthCode,
  type RefundRequest,
} from "../../../server/provider/payments/ledger/ledger.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const mchId = "1900000109";

/** Freezes no money. */
const noHolds: Holds = { begin: async () => false, spendable: async () => 0, isHeld: async () => false };

/** How an order of the test merchant is found. */
export const keyOf = (outTradeNo: string) => ({ mchId, outTradeNo });

/** An order as a merchant would place it. */
export const orderRequest = (outTradeNo: string, changed: Partial<OrderRequest> = {}): OrderRequest => ({
  mchId,
  appId: "wx48656172746854a1",
  outTradeNo,
  tradeType: "JSAPI",
  version: "v2",
  signType: "MD5",
  description: "Hearth test order",
  total: 100,
  currency: "CNY",
  notifyUrl: "http://127.0.0.1:3080/api/payments/notifications",
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  extra: { spbill_create_ip: "127.0.0.1" },
  ...changed,
});

/** A refund of an order of 100 fen. */
export const refundRequest = (outRefundNo: string, changed: Partial<RefundRequest> = {}): RefundRequest => ({
  outRefundNo,
  total: 100,
  refund: 10,
  currency: "CNY",
  version: "v2",
  ...changed,
});

/** The code by which the ledger refuses; `done` where it does not. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof PaymentRefusal) return error.code;
      throw error;
    },
  );

export async function openTestLedger() {
  const folder = temporaryFolder();
  const clock = { now: Date.parse("2026-01-01T12:00:00+08:00") };
  const settings = { ...defaultSimSettings };
  const file = join(folder.path, "provider.db");
  const open = () => openDatabase<LedgerTables>({ file, migrations: ledgerMigrations });
  let database = await open();
  const changes: LedgerChange[] = [];
  const reported: unknown[] = [];
  const readAuthCode: ReadAuthCode = async (authCode) => {
    if (!authCode.startsWith("13")) throw new PaymentRefusal("AUTH_CODE_INVALID", "no such code");
    return { openid: "oBuyer" };
  };

  /** Another one over the same tables, which takes turns with none. */
  const another = (): Ledger =>
    createLedger({
      ...database,
      now: () => clock.now,
      settings: () => settings,
      knowsOpenId: async (openid) => openid.startsWith("oUpF8u"),
      readAuthCode,
      ...{ book: new Book({ ...database, now: () => clock.now }), holds: noHolds },
      onError: (error) => void reported.push(error),
    });
  function start(): Ledger {
    const ledger = another();
    ledger.subscribe((change) => void changes.push(change));
    return ledger;
  }
  let ledger = start();

  return {
    get ledger() {
      return ledger;
    },
    another,
    clock,
    settings,
    changes,
    reported,
    /** From and to of each change of an order's state. */
    path: (outTradeNo: string) =>
      changes.flatMap((change) =>
        change.kind === "order" && change.order.outTradeNo === outTradeNo
          ? [`${change.from ?? "-"} ${change.order.tradeState}`]
          : [],
      ),
    async placed(outTradeNo: string, changed: Partial<OrderRequest> = {}) {
      await ledger.place(orderRequest(outTradeNo, changed));
      return keyOf(outTradeNo);
    },
    async paid(outTradeNo: string, changed: Partial<OrderRequest> = {}) {
      const key = await this.placed(outTradeNo, changed);
      await ledger.pay(key);
      return key;
    },
    /** The buyer shows a code at the till. */
    paidByCode: (outTradeNo: string, total = 100) =>
      ledger.payByCode(orderRequest(outTradeNo, { tradeType: "MICROPAY", total }), "130000000000000001"),
    /** Runs `work` with other settings. */
    async withSettings(changed: Partial<typeof settings>, work: () => Promise<void>): Promise<void> {
      const before = { ...settings };
      Object.assign(settings, changed);
      await work().finally(() => Object.assign(settings, before));
    },
    /** Opens the same tables again. */
    async restart() {
      await database.close();
      database = await open();
      ledger = start();
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}
export type TestLedger = Awaited<ReturnType<typeof openTestLedger>>;
